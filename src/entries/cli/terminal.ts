/** Questions that somebody is asked now. */
let asking = 0
/** What is to be printed when they have their answers. */
let held: string[] = []

/** Nothing is printed between the question that `work` asks and its answer: whoever types sees what they answer to. */
export async function whileAsking<T>(work: () => Promise<T>): Promise<T> {
  asking++
  try {
    return await work()
  } finally {
    if (--asking === 0) {
      const texts = held
      held = []
      for (const text of texts) process.stdout.write(text)
    }
  }
}

/** On stdout, in the order of the calls; while somebody is asked, when they have answered. */
export function print(text: string): void {
  if (asking > 0) held.push(text)
  else process.stdout.write(text)
}

/** On one line, without a character that a terminal obeys: JSON itself lets DEL and the controls behind it through. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
}
