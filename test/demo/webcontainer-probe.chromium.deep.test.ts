// @module-tag playground
import { expect, test } from 'vitest'
import { type ProbeResult, runProbe } from '../../demo/src/webcontainer-probe/probe.js'
import { FakeContainer } from '../adapters/webcontainer-fake.js'

test('the probe runs the contract and link cases, and a correct container passes all', async () => {
  const results: ProbeResult[] = []
  await runProbe(new FakeContainer().api, ['storage'], (result) => results.push(result))
  expect(results.filter(({ error }) => error !== undefined)).toEqual([])
  expect(results.length).toBeGreaterThan(250)
})

test('the probe shows failures of a faulty container', async () => {
  const container = new FakeContainer()
  container.faults = {
    before: (call) => {
      if (call === 'rename') throw new Error('rename is not implemented')
    },
  }
  const failed: ProbeResult[] = []
  await runProbe(container.api, ['storage'], (result) => {
    if (result.error !== undefined) failed.push(result)
  })
  expect(failed.map(({ title }) => title)).toContain('renaming a link moves the link itself')
  expect(failed.length).toBeGreaterThan(20)
  expect(failed.every(({ title, error }) => /rename|renam|name |link|at once|readdir: follows/.test(title) && error !== undefined)).toBe(
    true,
  )
})

test('the probe shows which shell features work in a container without node', async () => {
  const results: ProbeResult[] = []
  await runProbe(new FakeContainer().api, ['shell'], (result) => results.push(result))
  const passed = results.filter(({ error }) => error === undefined).map(({ title }) => title)
  expect(passed).toEqual([
    'a command prints, and ends with 0',
    'pipes, && and ||, ;',
    'without an input it reads the end at once',
    'an input is read whole',
    'directory and variables at the end are known',
    'a command and the workspace see what the other writes',
    'nothing is left beside the workspace',
    'a program that was stopped does nothing more',
  ])
  const failed = results.filter(({ error }) => error !== undefined)
  expect(failed.length).toBeGreaterThan(10)
  expect(failed.filter(({ error = '' }) => !error.startsWith('Error: Expected'))).toEqual([])
})
