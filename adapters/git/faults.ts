import { FsError, InputError, NetworkError, UnsupportedError } from '../../src/errors/index.js'

/** The call that failed, for messages. */
export interface Attempt {
  /** What the call does, as a verb: `commit`, `check out "main"`. */
  readonly verb: string
  /** Virtual path of the repository. */
  readonly dir: string
  /** The server's URL for messages, without credentials. */
  readonly remote?: string
}

const OURS: ReadonlySet<string> = new Set(['FsError', 'WorkspaceError', 'InputError', 'PolicyError', 'NetworkError', 'UnsupportedError'])

interface LibraryError {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly errors?: readonly unknown[]
}

export const inputError = (verb: string, why: string): InputError => new InputError('invalid_input', `Cannot ${verb}: ${why}`)

/** Whether the library reports a missing ref, object or file. */
export const isMissing = (error: unknown): boolean => (error as LibraryError | undefined)?.code === 'NotFoundError'

/** Converts an error of the library to one of our errors. Returns our own errors unchanged. */
export function toOurError(error: unknown, attempt: Attempt): unknown {
  const { name = '', code = '', data = {}, errors } = (error ?? {}) as LibraryError
  if (OURS.has(name)) return error
  if (code === 'MultipleGitError' && errors?.length) return toOurError(errors[0], attempt)
  return (MEANINGS[code] ?? unknownFault)(attempt, data, error as LibraryError)
}

type Meaning = (attempt: Attempt, data: Readonly<Record<string, unknown>>, error: LibraryError) => Error

const says = (why: string | ((data: Readonly<Record<string, unknown>>) => string)): Meaning => {
  return ({ verb }, data) => inputError(verb, typeof why === 'string' ? why : why(data))
}

const server = (why: string): Meaning => {
  return ({ verb, remote }) => new NetworkError('network', `Cannot ${verb}: ${remote ?? 'the server'} ${why}`)
}

const text = (value: unknown): string => String(value).slice(0, 200)

const MEANINGS: Readonly<Record<string, Meaning>> = {
  NotFoundError: (attempt, { what }) =>
    attempt.remote
      ? inputError(attempt.verb, `${attempt.remote} has no branch or tag of that name, check "ref"`)
      : inputError(attempt.verb, `there is no ${text(what)}, list the branches or the log for what there is`),
  AlreadyExistsError: says(({ noun, where }) => `the ${text(noun)} "${text(where)}" exists, choose another name`),
  AmbiguousError: says(({ short }) => `"${text(short)}" fits more than one object, give more of the id`),
  InvalidRefNameError: says(({ ref }) => `"${text(ref)}" is no name for a branch: no spaces, "..", "~", "^", ":", "?", "*", "[" or "\\"`),
  InvalidOidError: says('that is no commit id'),
  ObjectTypeError: says('that is no commit, name a branch, a tag or a commit id'),
  EmptyCommitError: says('nothing is staged: add the changed files first, or set "allowEmpty"'),
  UnmergedPathsError: says(({ filepaths }) => `a merge left conflicts: mend and add ${text(filepaths)}`),
  CommitNotFetchedError: says('that commit was not fetched, clone with more depth'),
  MissingNameError: says('there is no author: pass "author" with a name and an email'),
  UnsafeFilepathError: says(({ filepath }) => `the repository holds the path "${text(filepath)}", which could lead outside or into ".git"`),
  UrlParseError: says('the address is no URL, use https://'),
  UnknownTransportError: says('only https:// and http:// addresses can be used'),
  UserCanceledError: says('no credentials were given'),
  RemoteCapabilityError: ({ verb }, { parameter }) =>
    new UnsupportedError('git', `Cannot ${verb}: the server does not support "${text(parameter)}", leave it out`, 'git'),
  HttpError: ({ verb, remote = 'the server' }, { statusCode }) =>
    new NetworkError('http_status', `Cannot ${verb}: ${statusMeaning(remote, Number(statusCode))}`, {
      httpStatus: Number(statusCode),
      retryable: Number(statusCode) >= 500,
    }),
  SmartHttpError: server('does not answer as a git server does: check the address'),
  EmptyServerResponseError: server('gave an empty answer'),
  ParseError: server('gave an answer that is not whole or not of git'),
}

function statusMeaning(remote: string, status: number): string {
  if (status === 401) return `${remote} wants credentials, or refused those it got: pass "credentials" or "onAuth" (status 401)`
  if (status === 403) return `${remote} forbids it: check what the credentials may do (status 403)`
  if (status === 404) return `there is no repository at ${remote}, or it is private: check the address (status 404)`
  return `${remote} answered with status ${status}`
}

/** Converts an error that the library does not classify. It means damaged data: from the server for a clone, else in the repository. */
function unknownFault({ verb, dir, remote }: Attempt, _: unknown, error: LibraryError): Error {
  if (remote) {
    return new NetworkError('network', `Cannot ${verb}: what ${remote} sent is damaged or not whole`, { retryable: true, cause: error })
  }
  return new FsError({
    code: 'EIO',
    op: `${verb} in`,
    path: dir,
    detail: 'the repository is damaged or was changed meanwhile',
    cause: error,
  })
}
