"""ALL OTHER IO: serial, HTTP, clocks, threads, supervision. The only place with asyncio."""
