// @module-tag preview
import { createEventLog } from 'toolport/preview'
import { expect, test } from 'vitest'

const clock = (): { now(): number; at: number } => ({
  at: 1000,
  now() {
    return this.at
  },
})
const line = (text: string) => ({ type: 'console', level: 'log', text }) as const

test('event log: readers continue from a cursor', () => {
  const log = createEventLog()
  log.push(line('a'))
  log.push(line('b'))
  const first = log.read({ limit: 1 })
  expect(first).toMatchObject({ events: [{ text: 'a', cursor: 1 }], next: 1, missed: 0, more: true })
  expect(log.read({ after: first.next })).toMatchObject({ events: [{ text: 'b', cursor: 2 }], next: 2, more: false })
  expect(log.read({ after: 99 })).toMatchObject({ events: [], next: 2, missed: 0 })
})

test('event log: old events are dropped and counted', () => {
  const log = createEventLog({ keep: 3 })
  for (let index = 1; index <= 10; index++) log.push(line(String(index)))
  expect(log.read()).toMatchObject({ events: [{ text: '8' }, { text: '9' }, { text: '10' }], missed: 7 })
  expect(log.read({ after: 9 })).toMatchObject({ events: [{ text: '10' }], missed: 0 })
})

test('event log: a flood is counted in one event', () => {
  const host = clock()
  const log = createEventLog({ perSecond: 5, host })
  const heard: string[] = []
  log.onEvent(({ type }) => heard.push(type))
  for (let index = 0; index < 10_000; index++) log.push(line('x'))
  host.at += 1000
  log.push(line('after'))
  const { events } = log.read()
  expect(events).toHaveLength(7)
  expect(events.slice(5)).toMatchObject([{ type: 'dropped', count: 9995 }, { text: 'after' }])
  expect(heard).toHaveLength(7)
})

test('createEventLog rejects an invalid limit by name', () => {
  expect(() => createEventLog({ keep: 0 })).toThrow('createEventLog: "keep" must be a positive integer')
})

test('event log: a throwing listener does not affect others', () => {
  const log = createEventLog()
  const heard: number[] = []
  log.onEvent(() => {
    throw new Error('a fault of the host')
  })
  log.onEvent(({ cursor }) => heard.push(cursor))
  log.push({ type: 'navigated', url: '/a' })
  expect(heard).toEqual([1])
})
