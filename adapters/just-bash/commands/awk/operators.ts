import { divide } from './builtins.js'

/** Of the order of two values: -1, 0, 1; undefined where there is none. */
export const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order === -1,
  '<=': (order) => order === -1 || order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order === 1,
  '>=': (order) => order === 1 || order === 0,
}

export function arithmetic(op: string): (a: number, b: number) => number {
  switch (op) {
    case '+':
      return (a, b) => a + b
    case '-':
      return (a, b) => a - b
    case '*':
      return (a, b) => a * b
    case '/':
      return (a, b) => divide(a, b, '')
    case '%':
      return (a, b) => divide(a, b, ' in %')
    default:
      return (a, b) => a ** b
  }
}
