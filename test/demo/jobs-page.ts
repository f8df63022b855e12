import { root } from './terminal-page.js'

export const tabs = (): string[] => [...root.querySelectorAll('.terminal-tab')].map((tab) => tab.textContent ?? '')
export const jobs = (): string[] =>
  [...root.querySelectorAll('.job-open')].map((job) => [...job.children].map((part) => part.textContent).join(' | '))

export const state = (): string | undefined => root.querySelector('.job-state')?.textContent ?? undefined
