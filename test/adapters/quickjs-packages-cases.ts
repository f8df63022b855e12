import type { JsAdapter, JsProgram, Workspace } from 'toolport'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { network, REGISTRY } from '../packages/install-support.js'
import recorded from './quickjs-packages-recorded.json'

/** All packages that the programs import. */
const PACKAGES = ['is-number@^7', 'nanoid@^5', 'semver@^7', 'zod@^4', 'lodash-es@^4', 'uuid@^11', 'yaml@^2']

type Source = Pick<JsProgram, 'code' | 'filename' | 'format' | 'entry' | 'args'>

export interface PackageCase extends Source {
  readonly name: string
}

const DOCUMENT = 'name: &n toolport # kept\nlist:\n  - 1\n  - [a, "b: c"]\ntext: |\n  two\n  lines\nalias: *n\nempty:\n'

/** The expected output is recorded from Node. quickjs-packages.node.test.ts runs the programs in Node too. */
export const PACKAGE_CASES: readonly PackageCase[] = [
  {
    name: 'is-number, imported',
    code: 'import isNumber from "is-number"; console.log([5, "5e3", " ", "x", NaN, Infinity, null, "0x10", [1]].map((v) => isNumber(v)))',
  },
  {
    name: 'is-number, required',
    format: 'commonjs',
    code: 'const isNumber = require("is-number"); console.log(isNumber("1"), isNumber("one"), isNumber.name)',
  },
  {
    name: 'nanoid: lengths, letters, its own alphabet',
    code: `
      import { nanoid, customAlphabet, customRandom, urlAlphabet } from "nanoid"
      import { nanoid as fast } from "nanoid/non-secure"
      const all = new Set(Array.from({ length: 200 }, () => nanoid()))
      console.log(nanoid().length, nanoid(5).length, fast(7).length, all.size, urlAlphabet.length)
      console.log([...all].every((id) => /^[\\w-]{21}$/.test(id)), /^[abc]{10}$/.test(customAlphabet("abc", 10)()))
      console.log(customRandom("abcdef", 6, (size) => new Uint8Array(size).map((_, at) => at))())`,
  },
  {
    name: 'nanoid, by import() in CommonJS',
    format: 'commonjs',
    code: 'import("nanoid").then(({ nanoid }) => console.log(typeof nanoid, nanoid(3).length))',
  },
  {
    name: "nanoid's command",
    entry: 'node_modules/nanoid/bin/nanoid.js',
    args: ['--alphabet', 'a', '--size', '15'],
  },
  {
    name: 'semver: ranges',
    code: `
      import semver, { satisfies } from "semver"
      const versions = ["1.2.3", "1.10.0", "2.0.0-rc.1", "2.0.0", "0.9.9"]
      for (const range of ["^1.2", "~1.2.3", ">=2.0.0-rc", "<1 || >=2", "1.x", "*", "1.2.3 - 2", "nonsense"])
        console.log(range, semver.validRange(range), semver.maxSatisfying(versions, range), versions.filter((v) => satisfies(v, range)).length)
      console.log(versions.toSorted(semver.compare).join(" "), semver.inc("1.2.3", "prerelease", "beta"), semver.coerce("v3.4 or so").version)
      console.log(semver.intersects("^1.2", ">=1.9 <3"), semver.minVersion(">1.2.3").version, semver.diff("1.2.3", "1.3.0"))
      try { new semver.SemVer("1.2") } catch (error) { console.log(error.name, error.message) }
      console.log(new semver.SemVer("1.2.3-a.1+b"))`,
  },
  {
    name: 'semver, required, and a file of it',
    format: 'commonjs',
    code: 'const { rcompare } = require("semver"); const valid = require("semver/functions/valid"); console.log(["1.0.0", "10.0.0", "9.0.0"].sort(rcompare), valid("=v1.2.3"), require("semver/package.json").name)',
  },
  {
    name: "semver's command",
    entry: 'node_modules/semver/bin/semver.js',
    args: ['-r', '^1.2', '1.2.3', '2.0.0', '1.10.0'],
  },
  {
    name: 'zod: what is wrong with a value',
    code: `
      import * as z from "zod"
      const Person = z.object({ name: z.string().min(2), age: z.number().int(), tags: z.array(z.enum(["a", "b"])).default([]) })
      console.log(Person.parse({ name: "Ada", age: 36, more: 1 }))
      const { success, error } = Person.safeParse({ name: "x", age: 1.5, tags: ["a", "c"] })
      console.log(success, error instanceof z.ZodError)
      console.log(JSON.stringify(error.issues))
      console.log(z.prettifyError(error))
      console.log(z.flattenError(error).fieldErrors)
      try { z.email().parse("nobody") } catch (error) { console.log(error.name, error.issues[0].code, error.issues[0].message) }
      console.log(await z.string().refine(async (text) => text === "yes", "say yes").safeParseAsync("no").then(({ error }) => error.issues[0].message))
      console.log(JSON.stringify(z.toJSONSchema(Person)))`,
  },
  {
    name: 'zod, required',
    format: 'commonjs',
    code: 'const { z } = require("zod"); console.log(z.coerce.date().parse("2024-02-29").toISOString(), z.union([z.literal(1), z.string().transform(Number)]).parse("7"))',
  },
  {
    name: 'lodash-es: groupBy, and a chain of others',
    code: `
      import { chunk, cloneDeep, debounce, get, groupBy, isEqual, merge, orderBy, template } from "lodash-es"
      import camelCase from "lodash-es/camelCase.js"
      const rows = [{ kind: "a", n: 3 }, { kind: "b", n: 1 }, { kind: "a", n: 2 }]
      console.log(groupBy(rows, "kind"))
      console.log(groupBy([6.1, 4.2, 6.3], Math.floor), orderBy(rows, ["kind", "n"], ["desc", "asc"]).map(({ n }) => n))
      const copy = cloneDeep({ at: new Date(0), set: new Set([1]), deep: [new Map([["k", { v: 1 }]])] })
      console.log(isEqual(copy, { at: new Date(0), set: new Set([1]), deep: [new Map([["k", { v: 1 }]])] }), copy)
      console.log(get({ a: [{ b: 4 }] }, "a[0].b"), merge({ a: { x: 1 } }, { a: { y: 2 } }), chunk([1, 2, 3], 2), camelCase("__foo bar-BAZ__"))
      console.log(template("<% for (const n of list) { %><<%- n %>><% } %>")({ list: ["a&b", 2] }))
      const late = debounce((value) => console.log("late", value), 5)
      late(1), late(2)`,
  },
  {
    name: 'uuid: v4 and v5, and their kin',
    code: `
      import { NIL, parse, stringify, v1, v3, v4, v5, v7, validate, version } from "uuid"
      const four = v4()
      console.log(/^[\\da-f]{8}-[\\da-f]{4}-4[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$/.test(four), validate(four), version(four), v4() === four)
      console.log(v5("hello.example", v5.DNS), v5("h\\u00e9", v5.URL), v3("hello.example", v3.DNS))
      console.log(v4({ random: Uint8Array.from({ length: 16 }, (_, at) => at) }), stringify(parse(four)) === four, NIL)
      console.log(version(v1()), version(v7()), validate("no"))
      try { parse("no") } catch (error) { console.log(error.name, error.message) }`,
  },
  {
    name: 'uuid, required',
    format: 'commonjs',
    code: 'const { v4, v5, version } = require("uuid"); console.log(version(v4()), v5("a", v5.URL))',
  },
  {
    name: 'yaml: a document there and back',
    code: `
      import { parse, parseDocument, stringify } from "yaml"
      const text = ${JSON.stringify(DOCUMENT)}
      const value = parse(text)
      console.log(value)
      console.log(stringify(value, { aliasDuplicateObjects: false }))
      console.log(JSON.stringify(parse(stringify(value))) === JSON.stringify(value))
      const document = parseDocument(text)
      document.setIn(["list", 0], 2)
      document.set("added", new Date(0))
      console.log(String(document))
      const [error] = parseDocument("a: [1\\nb: }").errors
      console.log(error.name, error.code, error.linePos[0])
      console.log(error.message)`,
  },
  {
    name: 'yaml, required',
    format: 'commonjs',
    code: 'const YAML = require("yaml"); console.log(YAML.stringify({ a: [1, { b: null }], "c d": "e: f\\n" }))',
  },
  {
    name: 'all of them in one program, from a folder below',
    filename: 'src/deep/all.mjs',
    code: `
      import isNumber from "is-number"
      import { groupBy, mapValues } from "lodash-es"
      import { nanoid } from "nanoid"
      import { createRequire } from "node:module"
      import { v5 } from "uuid"
      import { stringify } from "yaml"
      import { z } from "zod"
      const { gt } = createRequire(import.meta.url)("semver")
      const Row = z.object({ version: z.string().refine((text) => gt(text, "1.0.0")), count: z.unknown().refine(isNumber) })
      const rows = [{ version: "1.2.0", count: "3" }, { version: "2.0.0", count: 4 }, { version: "1.2.0", count: 5 }].map((row) => Row.parse(row))
      console.log(stringify({ rows: mapValues(groupBy(rows, "version"), (all) => all.length), id: v5("x", v5.DNS), short: nanoid(4).length }))`,
  },
]

/** A program that fetches a package's metadata itself. */
const EXPRESS = `
  import { maxSatisfying, validRange } from "semver"
  const packument = async (name) => (await fetch("${REGISTRY}" + name)).json()
  const { versions, "dist-tags": { latest } } = await packument("express")
  const { dependencies } = versions[latest]
  const found = await Promise.all(Object.entries(dependencies).map(async ([name, range]) => {
    const { versions } = await packument(name)
    return [name, validRange(range) !== null, maxSatisfying(Object.keys(versions), range) !== null]
  }))
  console.log(latest, found.length, found.every(([, valid, there]) => valid && there), found.map(([name]) => name).includes("body-parser"))
  console.log((await fetch("${REGISTRY}not-there")).status)
  console.log(await fetch("https://elsewhere.example/").then(() => "reached", (error) => error instanceof Error))`

/** Types are stripped from TypeScript files and from the files that they import. */
const TYPED = {
  'src/model.ts':
    "import { z } from 'zod'\nexport const Row = z.object({ id: z.uuid(), n: z.number() })\nexport type Row = z.infer<typeof Row>\n",
  'src/main.ts': `
    import { groupBy } from 'lodash-es'
    import { v5 } from 'uuid'
    import { Row } from './model.js'
    const rows: Row[] = ['a', 'b', 'a'].map((name, n) => Row.parse({ id: v5(name, v5.URL), n }))
    console.log(Object.values(groupBy(rows, 'id')).map((all: readonly Row[]) => all.map(({ n }) => n)))
    enum Kind { One = 1, Two }
    console.log(Kind[2], Row.safeParse({ id: 'x', n: 1 } satisfies Record<keyof Row, unknown>).success)`,
}

export interface UnderTest {
  readonly workspace: Workspace
  readonly js: Pick<JsAdapter, 'run' | 'close'>
  /** Whether the adapter grants the network to programs and strips types. */
  readonly guest: boolean
}

/** Runs all cases in one workspace in which all packages are installed. */
export function packageCases(name: string, { workspace, js, guest }: UnderTest): void {
  describe(`${name}: installed packages`, () => {
    const { fetch } = network()

    beforeAll(async () => {
      await installPackages(workspace, { packages: PACKAGES, fetch, registry: REGISTRY })
      return () => js.close?.()
    })

    for (const { name: title, ...source } of PACKAGE_CASES) {
      it(title, async () => {
        expect(await js.run(source)).toMatchObject({ stderr: '', stdout: (recorded as Record<string, string>)[title], exitCode: 0 })
      })
    }

    it('do not include uninstalled packages', async () => {
      const { exitCode, stderr } = await js.run({ code: 'import "express"' })
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/Cannot find package 'express' imported from /)
    })

    it.runIf(guest)('semver runs on the metadata of express', async () => {
      const stdout = '5.3.0 28 true true\n404\ntrue\n'
      expect(await js.run({ code: EXPRESS, grants: { fetch } })).toMatchObject({ stderr: '', stdout, exitCode: 0 })
    })

    it.runIf(guest)('zod, lodash-es and uuid run in TypeScript', async () => {
      for (const [path, text] of Object.entries(TYPED)) await workspace.writeText(path, text)
      const stdout = '[ [ 0, 2 ], [ 1 ] ]\nTwo false\n'
      expect(await js.run({ entry: 'src/main.ts' })).toMatchObject({ stderr: '', stdout, exitCode: 0 })
    })
  })
}
