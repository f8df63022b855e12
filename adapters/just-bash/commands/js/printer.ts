import type { ShellCommandContext, ShellCommandResult, ShellOutput } from '../../../../src/types/shell.js'

/** Maximum number of buffered characters that the shell has not accepted yet. */
const MAX_WAITING = 16 * 1024 * 1024

/** Forwards the output of a program to the shell, piece by piece and in order. */
export interface Printer {
  push(output: ShellOutput): void
  /**
   * Resolves when all output is delivered, to the output that the shell has not accepted. This is all output if the shell accepts none
   * while the program runs.
   */
  finish(): Promise<Pick<ShellCommandResult, 'stdout' | 'stderr'>>
}

/** @param failed called when output can no longer be delivered, to end the program */
export function createPrinter(print: ShellCommandContext['print'], failed: () => void): Printer {
  let waiting: ShellOutput[] = []
  let characters = 0
  let printing: Promise<void> | undefined
  let isOver = false

  const end = (): void => {
    isOver = true
    waiting = []
    failed()
  }
  const printAll = async (take: NonNullable<typeof print>): Promise<void> => {
    // Combine the output of the same tick.
    await Promise.resolve()
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      for (const { stream, text } of taken) {
        await take({ [stream]: text })
        characters -= text.length
      }
    }
  }
  const begin = (): void => {
    if (!print || printing || isOver) return
    printing = printAll(print)
      .catch(end)
      .finally(() => {
        printing = undefined
      })
  }
  return {
    push(output) {
      if (isOver || output.text === '') return
      const last = waiting.at(-1)
      if (last?.stream === output.stream) waiting[waiting.length - 1] = { ...last, text: last.text + output.text }
      else waiting.push(output)
      characters += output.text.length
      if (characters > MAX_WAITING) end()
      else begin()
    },
    async finish() {
      while (printing) await printing
      const textOf = (stream: ShellOutput['stream']): string => waiting.map((piece) => (piece.stream === stream ? piece.text : '')).join('')
      return { stdout: textOf('stdout'), stderr: textOf('stderr') }
    },
  }
}
