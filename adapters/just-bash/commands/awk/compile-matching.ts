import type { Regex } from '../shared/regex/regex.js'
import { compilePlace, nameOf } from './assignment.js'
import { fill, PLAIN, piecesOf, replaced } from './builtins.js'
import { type Code, fromAll } from './code.js'
import type { Compiler } from './compiler.js'
import type { Expr } from './syntax.js'
import { Input, toNumber, type Value } from './values.js'

// Built-in functions that take a regular expression.

export function compileSplit(compiler: Compiler, [text, target, separator, seps]: readonly Expr[]): Code {
  const { runtime } = compiler
  const array = compiler.array(nameOf(target))
  const between = seps ? compiler.array(nameOf(seps)) : undefined
  const regex = separator?.kind === 'regex' ? separator.source : undefined
  const codes = [compiler.value(text as Expr), ...(separator && regex === undefined ? [compiler.value(separator)] : [])]
  return fromAll(codes, ([value, given], frame) => {
    const subject = runtime.text(value)
    if (regex !== undefined) {
      const found: string[] = []
      const parts = runtime.splitBy(subject, regex, found)
      if (between) fill(between(frame), found)
      return fill(array(frame), parts)
    }
    return fill(array(frame), runtime.splitText(subject, given === undefined && !separator ? runtime.textOf('FS') : runtime.text(given)))
  })
}

export function compileSubstitute(compiler: Compiler, [regex, replacement, target]: readonly Expr[], which: 0 | 1): Code {
  const { runtime } = compiler
  const { codes, pick } = regexOf(compiler, regex as Expr)
  const inner = target?.kind === 'group' ? target.inner : target
  const place =
    inner && (inner.kind === 'name' || inner.kind === 'field' || inner.kind === 'index') ? compilePlace(compiler, inner) : undefined
  const value = inner && !place ? [compiler.value(inner)] : []
  return fromAll([...codes, compiler.value(replacement as Expr), ...(place?.keys ?? []), ...value], (values, frame) => {
    const compiled = pick(values)
    const rest = values.slice(codes.length)
    const pieces = piecesOf(runtime.text(rest[0]), false)
    const keys = rest.slice(1)
    const subject = place ? runtime.text(place.read(keys, frame)) : inner ? runtime.text(keys[0]) : runtime.record()
    const { text, count } = replaced(compiled, pieces, subject, which)
    if (count > 0) {
      if (place) place.write(keys, text, frame)
      else if (!inner) runtime.setRecord(text)
    }
    return count
  })
}

export function compileGensub(compiler: Compiler, [regex, replacement, how, target]: readonly Expr[]): Code {
  const { runtime } = compiler
  const { codes, pick } = regexOf(compiler, regex as Expr)
  const others = [replacement, how, target].flatMap((expr) => (expr ? [compiler.value(expr)] : []))
  return fromAll([...codes, ...others], (values) => {
    const [pieces, which, text] = values.slice(codes.length)
    const all = /^[gG]/.test(runtime.text(which))
    const subject = target ? runtime.text(text) : runtime.record()
    return replaced(pick(values), piecesOf(runtime.text(pieces), true), subject, all ? 0 : Math.max(1, Math.trunc(toNumber(which)))).text
  })
}

export function compileMatch(compiler: Compiler, [text, regex, target]: readonly Expr[]): Code {
  const { runtime } = compiler
  const { codes, pick } = regexOf(compiler, regex as Expr)
  const array = target ? compiler.array(nameOf(target)) : undefined
  const [start, length] = [runtime.slot('RSTART'), runtime.slot('RLENGTH')]
  return fromAll([...codes, compiler.value(text as Expr)], (values, frame) => {
    const subject = runtime.text(values[codes.length])
    const found = pick(values).exec(subject)
    const chars = (from: number, to: number): number => PLAIN.length?.(runtime, [subject.slice(from, to)]) as number
    runtime.vars[start] = found ? chars(0, found.index) + 1 : 0
    runtime.vars[length] = found ? chars(found.index, found.end) : -1
    if (array) {
      const map = array(frame)
      map.clear()
      found?.groups.forEach((group, i) => {
        if (group !== undefined) map.set(String(i), new Input(group))
      })
    }
    return runtime.vars[start] as number
  })
}

/** Compiles the regex argument of a function. A regex literal is compiled once, any other expression each time it is evaluated. */
function regexOf(compiler: Compiler, expr: Expr): { readonly codes: readonly Code[]; pick(values: readonly Value[]): Regex } {
  const { runtime } = compiler
  const inner = expr.kind === 'group' ? expr.inner : expr
  if (inner.kind === 'regex') {
    const regex = runtime.regex(inner.source)
    return { codes: [], pick: () => regex }
  }
  return { codes: [compiler.value(expr)], pick: (values) => runtime.regex(runtime.text(values[0])) }
}
