// An outside host for the simulated acceptors: serialport and its ccTalk parser, nothing of ours.
// Usage: node host.js PORT ADDRESS. Says one line of JSON when the slot is open, then waits for a line
// on standard input, polls, and says what it read.
"use strict";
const readline = require("node:readline");
const { SerialPort } = require("serialport");
const { CCTalkParser } = require("@serialport/parser-cctalk");

const [path, address] = [process.argv[2], Number(process.argv[3])];
const port = new SerialPort({ path, baudRate: 9600 });
const parser = port.pipe(new CCTalkParser());
const waiting = [];
parser.on("data", (frame) => {
  if (frame[0] === 1 && waiting.length) waiting.shift()(frame); // our own echo goes to others
});

function ask(header, ...data) {
  const body = [address, data.length, 1, header, ...data];
  const sum = body.reduce((total, byte) => total + byte, 0);
  port.write(Buffer.from([...body, (256 - (sum % 256)) % 256]));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer to header ${header}`)), 5000);
    waiting.push((frame) => {
      clearTimeout(late);
      if (frame.reduce((total, byte) => total + byte, 0) % 256) reject(new Error("checksum"));
      else if (frame[2] !== address || frame[3] !== 0) reject(new Error(frame.toString("hex")));
      else resolve(frame.subarray(4, -1));
    });
  });
}

async function main() {
  const keepAwake = () => ask(229);
  await new Promise((resolve) => port.once("open", resolve));
  await ask(254);
  const category = (await ask(245)).toString("latin1");
  const serial = (await ask(242)).readUIntLE(0, 3);
  const coin = (await ask(184, 1)).toString("latin1");
  await ask(231, 0xff, 0xff);
  await ask(228, 1);
  const before = [...(await keepAwake())];
  console.log(JSON.stringify({ category, serial, coin, before }));
  const poll = setInterval(() => waiting.length || keepAwake(), 200);
  for await (const _ of readline.createInterface({ input: process.stdin })) break;
  clearInterval(poll);
  while (waiting.length) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(JSON.stringify({ after: [...(await keepAwake())] }));
  port.close(() => process.exit(0));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
