"""The terminal itself: shows a page, follows the table, presses keys. It decides nothing.

As in a browser: a key that is new is dead for a moment, no key acts when the controller is lost, and
a form is posted once.
"""

from __future__ import annotations

import contextlib
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key as KeyEvent
from textual.timer import Timer
from textual.widgets import Button, Input, Static

from jackpot.terminal.items import NO_FORM, Key, Page, Preview
from jackpot.terminal.line import ControllerLost, Line, NewsKind
from jackpot.terminal.view import PageView, Pairs, name_of
from jackpot.terminal.widgets import AnswerField, CardEntry, KeyButton
from jackpot.terminal.words import Sentences, sentences

ARM_S = 0.8
"""A key that is new is dead for so long: the second tap of a double one."""
STALE_S = 2.0
"""So long after the last heartbeat nothing on the screen is trusted."""
RETRY_S = 1.0
"""Between two tries to reach a lost controller."""
TOLD_S = 10.0
"""A refusal stays until the next key, or for so long."""
AGAIN_AFTER_S, AGAIN_WITHIN_S = 0.6, 4.0
"""A key that wants two presses takes the second one between these times."""

CONSOLE = "/console"
_NAMED = {"escape": "Escape", "enter": "Enter"}
_Identity = tuple[object, ...]


class TerminalConsole(App[None]):
    """The console of one table."""

    CSS_PATH = "terminal.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus", "walk(1)", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, line: Line) -> None:
        super().__init__()
        self.line = line
        self.page: Page | None = None
        self.alive = True
        self.busy = False
        self._beat = ""
        self._prefix = ""
        self.awaits_again: Key | None = None
        self._drawn: set[_Identity] = set()
        self._arming: set[_Identity] = set()
        self._look_wanted = False
        self._stale: Timer | None = None
        self._told: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Static(id="offline", markup=False)
        yield Static(id="told", markup=False)
        yield PageView(id="page")
        with Horizontal(id="bar"):
            yield Horizontal(id="bar-keys")
            yield Static(id="quit", markup=False)

    def on_mount(self) -> None:
        self._go(CONSOLE)

    @property
    def words(self) -> Sentences:
        """The terminal's own, in the language of the page."""
        return sentences("" if self.page is None else self.page.language)

    @property
    def view(self) -> PageView:
        """The page on the screen."""
        return self.query_one(PageView)

    @property
    def _logged_in(self) -> bool:
        return self.page is not None and bool(self.page.offline)

    # ---- the controller --------------------------------------------------------------------------

    @work(group="go")
    async def _go(self, address: str, fields: Pairs | None = None) -> None:
        """Look at an address, or post a form there. What is typed meanwhile presses no key."""
        self.busy = True
        try:
            answer = self.line.get(address) if fields is None else self.line.post(address, fields)
            await self._show(await answer)
        except ControllerLost:
            self._set_alive(False)
            self.set_timer(RETRY_S, lambda: self._go(CONSOLE))  # never the same post again
        finally:
            self._rest()

    def _rest(self) -> None:
        """Done with a page; the table may have moved meanwhile."""
        self.busy = False
        if self._look_wanted:
            self._look()

    @work(group="look", exclusive=True)
    async def _look(self) -> None:
        """The table has moved: the live page anew."""
        page = self.page
        self._look_wanted = self.busy
        if self.busy or page is None or not page.live:
            return
        with contextlib.suppress(ControllerLost):
            newer = await self.line.get(CONSOLE)
            if self.busy or self.page is not page:
                return  # a key was pressed: what that shows is newer still
            self.busy = True
            try:
                await self._show(newer)
            finally:
                self._rest()

    @work(group="news", exclusive=True)
    async def _follow(self) -> None:
        """Beats and changes, for as long as somebody is logged in."""
        try:
            async for news in self.line.news():
                if news.kind is NewsKind.GONE:
                    self._go(CONSOLE)
                    return
                self._heard(news.beat)
                if news.kind is NewsKind.STATE:
                    self._look()
        except ControllerLost:
            self.set_timer(RETRY_S, self._follow_again)

    def _follow_again(self) -> None:
        if self._logged_in:
            self._follow()
            self._look()

    def _heard(self, beat: str) -> None:
        self._beat = beat
        self._set_alive(True)
        self._stale = self.set_timer(STALE_S, lambda: self._set_alive(False))

    def _set_alive(self, alive: bool) -> None:
        if self._stale is not None:
            self._stale.stop()
        self.alive = alive
        said = self.words.no_answer.format(url=self.line.url)
        if self.page is not None and self.page.offline:
            said = self.page.offline
        for offline in self.query("#offline").results(Static):  # none when the program ends
            offline.update(f"✕ {said}")
            offline.display = not alive
            self.screen.set_class(not alive, "lost")

    # ---- the page --------------------------------------------------------------------------------

    async def _show(self, page: Page) -> None:
        """Draw a page; one that says the same only renews the forms behind its keys."""
        before, self.page = self.page, page
        if page.refusal:
            self._tell(page.refusal)
        if before is not None and (before.items, before.bar) == (page.items, page.bar):
            if page.refusal:
                self.view.ask_pin_again()
            return
        if not self._logged_in:
            self.workers.cancel_group(self, "news")
            self._set_alive(True)
        elif before is None or not before.offline:
            self._follow()
        keys = self.query_one("#bar-keys")
        with self.batch_update():
            await self.view.draw(page, self.words)
            await keys.remove_children()
            await keys.mount_all([KeyButton(key, f" {key.label} ") for key in page.bar])
        self.query_one("#title", Static).update(page.title)
        self.query_one("#quit", Static).update(self.words.quit)
        self._arm(page)
        if before is None or not page.live or before.phase != page.phase:
            self.view.to_first_field()

    def _arm(self, page: Page) -> None:
        """Keys that were not there before are dead for a moment."""
        now = {_identity(page, key) for key in page.all_keys()}
        fresh, self._drawn = now - self._drawn, now
        if page.live:
            self._arming |= fresh
            self.set_timer(ARM_S, lambda: self._armed(fresh))
        self._dim()

    def _armed(self, fresh: set[_Identity]) -> None:
        self._arming -= fresh
        self._dim()

    def _dim(self) -> None:
        page = self.page
        if page is not None:
            self.view.dim(lambda key: _identity(page, key) in self._arming)

    def _tell(self, text: str) -> None:
        """A refusal, or what is missing; nothing: it was read."""
        told = self.query_one("#told", Static)
        told.update(text)
        told.display = bool(text)
        if self._told is not None:
            self._told.stop()
        if text:
            self._told = self.set_timer(TOLD_S, lambda: self._tell(""))

    @work(group="preview", exclusive=True)
    async def on_card_entry_changed(self, _: CardEntry.Changed) -> None:
        """What the law makes of the cards so far."""
        entry = self.view.cards
        if entry is None:
            return
        with contextlib.suppress(ControllerLost):
            part = await self.line.post("/console/awards/preview", self._fields(entry.cards.form))
            for item in part.items:
                if isinstance(item, Preview):
                    await self.view.draw_preview(item.items)
            self._tell(part.refusal)

    # ---- keys ------------------------------------------------------------------------------------

    def action_walk(self, step: int) -> None:
        """``+`` and ``-`` lead through fields and keys."""
        if step > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()

    async def action_leave(self) -> None:
        """Log out, as far as the controller still listens, and end."""
        if self.page is not None and self.alive:
            for form in self.page.forms:
                if form.action == "/logout":
                    with contextlib.suppress(ControllerLost):
                        await self.line.post(form.action, form.hidden)
        self.exit()

    def on_key(self, event: KeyEvent) -> None:
        """What no field took: digits press what they are printed on."""
        letter = _NAMED.get(event.key, event.character or "")
        if self.busy:
            self._prefix = ""
        if not letter or self.busy:
            return
        if letter == "-":
            self.action_walk(-1)
            return
        name, self._prefix = self._prefix + letter, "/" if letter == "/" else ""
        if self.view.picks(name) or (name.isdecimal() and self.view.begins_pin(name)):
            return
        for button in self.view.buttons:
            if button.key.shortcut == name:
                self._press(button.key)
                return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if isinstance(event.button, KeyButton):
            self._press(event.button.key)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field presses the first key of its form."""
        if not isinstance(event.input, AnswerField) or self.page is None:
            return
        for key in self.page.all_keys():
            if key.form == event.input.answer.form:
                self._press(key)
                return

    def _press(self, key: Key) -> None:
        """A link is followed, a form posted; a key that must not act does nothing."""
        page = self.page
        if page is None or self.busy or key.dead or _identity(page, key) in self._arming:
            return
        if not self.alive and key not in page.bar:
            return
        if key.hold and self.awaits_again is not key:
            self._ask_again(key)
            return
        self.awaits_again = None
        form = self.view.form_of(key)
        if form == NO_FORM:
            self._go(key.address)
            return
        missing = "" if key.unchecked else self.view.missing(form)
        self._tell(self.words.first.format(field=missing) if missing else "")
        if not missing:
            own = [key.answer] if key.answer is not None else []
            self._go(key.address or page.forms[form].action, [*self._fields(form), *own])

    def _ask_again(self, key: Key) -> None:
        """A key that a browser wants kept pressed is pressed twice, and not by a double tap."""
        self._tell(self.words.again.format(key=name_of(key)))

        def ready() -> None:
            self.awaits_again = key
            self.set_timer(AGAIN_WITHIN_S - AGAIN_AFTER_S, forget)

        def forget() -> None:
            if self.awaits_again is key:
                self.awaits_again = None
                self._tell("")

        self.set_timer(AGAIN_AFTER_S, ready)

    def _fields(self, form: int) -> Pairs:
        """What a browser would post: hidden fields, answers, the last heartbeat."""
        hidden = () if self.page is None else self.page.forms[form].hidden
        beat = [("beat", self._beat)] if self._beat else []
        return [*hidden, *self.view.answers(form), *beat]


def _identity(page: Page, key: Key) -> _Identity:
    """A key is the same on the next page when it would ask for the same act."""
    form = page.forms[key.form] if key.form != NO_FORM else None
    fields = () if form is None else tuple(pair for pair in form.hidden if pair[0] != "form")
    action = "" if form is None else form.action
    return (key.address or action, fields, key.answer, key.shortcut)
