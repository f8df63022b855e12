import { overlap } from './frames.js'

export interface Renamer {
  push(text: string): string
  finish(): string
}

/** Puts one name in the place of another, in text that comes in pieces. */
export function createRenamer(from: string, to: string): Renamer {
  let held = ''
  return {
    push(piece) {
      const text = (held + piece).replaceAll(from, () => to)
      const keep = text.length - overlap(text, from)
      held = text.slice(keep)
      return text.slice(0, keep)
    },
    finish() {
      const text = held
      held = ''
      return text
    },
  }
}
