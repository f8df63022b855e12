import type { FsErrorCode } from '../../src/errors/index.js'
import type { Files } from '../shared/first-files.js'

export interface Opening {
  readonly name: string
  readonly files: Files
}

export interface Call {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

export type Answer =
  | { readonly id: number; readonly value: unknown; readonly fault?: undefined }
  | { readonly id: number; readonly fault: SentFault }

export interface SentFault {
  readonly code: FsErrorCode
  readonly detail: string | undefined
  readonly cause: unknown
}

export const isCall = (data: unknown): data is Call => isRecord(data) && 'method' in data && 'id' in data
export const isAnswer = (data: unknown): data is Answer => isRecord(data) && 'id' in data && ('value' in data || 'fault' in data)
const isRecord = (data: unknown): data is object => typeof data === 'object' && data !== null
