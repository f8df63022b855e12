import { createInterface } from 'node:readline'

/** Number of open questions. */
let asking = 0
/** Output that waits until all questions are answered. */
let held: string[] = []

/** Holds back the output of `print` while `work` asks a question, so that the question stays visible next to what it is about. */
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

/** Asks a question on stderr. Only `y` and `yes` count as yes; an abort counts as no. */
export function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false)
  // Set `terminal: false`, so that the system's line editing and Ctrl+C keep working.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      signal?.removeEventListener('abort', onAbort)
      resolve(answer)
      lines.close()
    }
    const onAbort = (): void => {
      process.stderr.write('\n')
      settle(false)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    lines.once('close', () => settle(false))
    lines.question(question, (answer) => settle(/^\s*y(es)?\s*$/i.test(answer)))
  })
}

/** Prints to stdout. Holds the text back while a question is open. */
export function print(text: string): void {
  if (asking > 0) held.push(text)
  else process.stdout.write(text)
}

/** Returns a value as one line of JSON without control characters. Escapes DEL and C1 controls, which JSON itself leaves unescaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
}
