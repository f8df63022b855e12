import type { ShellOutput } from '../../types/shell.js'

/** Hands on what a program prints line by line, up to so many bytes; then it says once that there was more. */
export function toldLines(log: (line: string) => void, maxUnits: number): { push(output: ShellOutput): void; end(): void } {
  const rest = { stdout: '', stderr: '' }
  let left = maxUnits
  const take = (text: string): string => {
    if (left <= 0) return ''
    const taken = text.slice(0, left)
    left -= taken.length
    return left > 0 ? taken : `${taken}\n[more output was left out]\n`
  }
  return {
    push({ stream, text }) {
      const lines = (rest[stream] + take(text)).split('\n')
      rest[stream] = lines.pop() ?? ''
      for (const line of lines) log(line)
    },
    end() {
      for (const line of [rest.stdout, rest.stderr]) if (line !== '') log(line)
      rest.stdout = ''
      rest.stderr = ''
    },
  }
}
