/** If not marked, they read `echo safe #  && rm -rf srchello; rm -rf src`, and `rtlsj.png`. */
export const COMMAND = 'echo safe # \u202e crs fr- mr ;olleh \u2066 && rm -rf src \u2069'
export const NAME = 'rtl\u202egnp.js'
/** If not marked, it reads like the name of another file. */
export const LINES = 'read\nme.txt'
export const marks = (element: Element | null | undefined): (string | undefined)[] =>
  [...(element?.querySelectorAll('.hidden-character') ?? [])].map((mark) => mark.ariaLabel?.slice(1, -1))
