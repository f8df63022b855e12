const { inspect } = internal.inspection()
const { equal: deep } = require('internal/equal')

class AssertionError extends Error {
  constructor({ message, actual, expected, operator, generated }) {
    super(message)
    this.name = 'AssertionError'
    this.code = 'ERR_ASSERTION'
    this.generatedMessage = generated ?? false
    Object.assign(this, { actual, expected, operator })
    Object.defineProperty(this, 'name', { enumerable: false })
    if (typeof this.stack === 'string') {
      const stack = this.stack.replace(/^\w+/, 'AssertionError [ERR_ASSERTION]')
      Object.defineProperty(this, 'stack', { value: stack, configurable: true, writable: true, enumerable: false })
    }
  }
}

const fail = (message, standard, details) => {
  if (message instanceof Error) throw message
  throw new AssertionError({ ...details, message: message ?? standard(), generated: message === undefined })
}
const pair = (title, actual, expected) => () => `${title}\n\n${inspect(actual)} !== ${inspect(expected)}\n`
const difference = (title, actual, expected) => () =>
  `${title}\n\n+ ${inspect(actual).replaceAll('\n', '\n+ ')}\n- ${inspect(expected).replaceAll('\n', '\n- ')}`

function assert(...given) {
  ok(...given)
}
function ok(...given) {
  const [value, message] = given
  if (given.length === 0)
    fail(undefined, () => 'No value argument passed to `assert.ok()`', { actual: undefined, expected: true, operator: '==' })
  if (!value) fail(message, () => 'The expression evaluated to a falsy value', { actual: value, expected: true, operator: '==' })
}
const check = (operator, holds, standard) => (actual, expected, message) => {
  if (!holds(actual, expected)) fail(message, standard(actual, expected), { actual, expected, operator })
}

function matches(error, expected, message) {
  if (expected === undefined) return
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return
    if (Object.prototype.isPrototypeOf.call(Error, expected)) throw error
    if (expected.call({}, error) === true) return
    fail(message, () => 'The validation function is expected to return "true".', { actual: error, expected, operator: 'throws' })
  } else if (expected instanceof RegExp) {
    if (expected.test(String(error))) return
    fail(message, () => `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`, {
      actual: error,
      expected,
      operator: 'throws',
    })
  } else if (typeof expected === 'object') {
    for (const key of [...Object.keys(expected), ...(expected instanceof Error ? ['name', 'message'] : [])]) {
      const fits =
        expected[key] instanceof RegExp && typeof error[key] === 'string'
          ? expected[key].test(error[key])
          : deep(error[key], expected[key], true)
      if (!fits)
        fail(message, difference('Expected values to be strictly deep-equal:', error[key], expected[key]), {
          actual: error,
          expected,
          operator: 'throws',
        })
    }
  }
}

Object.assign(assert, {
  AssertionError,
  ok,
  fail: (message = 'Failed') => fail(message, () => 'Failed', { operator: 'fail' }),
  equal: check(
    '==',
    (a, b) => a == b || (a !== a && b !== b),
    (a, b) => () => `${inspect(a)} == ${inspect(b)}`,
  ),
  notEqual: check(
    '!=',
    (a, b) => a != b,
    (a, b) => () => `${inspect(a)} != ${inspect(b)}`,
  ),
  strictEqual: check('strictEqual', Object.is, (a, b) => pair('Expected values to be strictly equal:', a, b)),
  notStrictEqual: check(
    'notStrictEqual',
    (a, b) => !Object.is(a, b),
    (a) => () => `Expected "actual" to be strictly unequal to: ${inspect(a)}`,
  ),
  deepEqual: check(
    'deepEqual',
    (a, b) => deep(a, b, false),
    (a, b) => difference('Expected values to be loosely deep-equal:', a, b),
  ),
  deepStrictEqual: check(
    'deepStrictEqual',
    (a, b) => deep(a, b, true),
    (a, b) => difference('Expected values to be strictly deep-equal:', a, b),
  ),
  notDeepEqual: check(
    'notDeepEqual',
    (a, b) => !deep(a, b, false),
    (a) => () => `Expected "actual" not to be loosely deep-equal to: ${inspect(a)}`,
  ),
  notDeepStrictEqual: check(
    'notDeepStrictEqual',
    (a, b) => !deep(a, b, true),
    (a) => () => `Expected "actual" not to be strictly deep-equal to: ${inspect(a)}`,
  ),
  match: check(
    'match',
    (text, pattern) => pattern.test(text),
    (a, b) => () => `The input did not match the regular expression ${inspect(b)}. Input:\n\n${inspect(a)}\n`,
  ),
  doesNotMatch: check(
    'doesNotMatch',
    (text, pattern) => !pattern.test(text),
    (a, b) => () => `The input was expected to not match the regular expression ${inspect(b)}. Input:\n\n${inspect(a)}\n`,
  ),
  ifError(value) {
    if (value !== null && value !== undefined) throw value
  },
  throws(body, expected, message) {
    if (typeof expected === 'string') [message, expected] = [expected, undefined]
    let thrown
    try {
      body()
    } catch (error) {
      thrown = { error }
    }
    if (!thrown)
      fail(message, () => `Missing expected exception${expected?.name ? ` (${expected.name})` : ''}.`, { operator: 'throws', expected })
    matches(thrown.error, expected, message)
  },
  doesNotThrow(body) {
    body()
  },
  async rejects(given, expected, message) {
    let thrown
    try {
      await (typeof given === 'function' ? given() : given)
    } catch (error) {
      thrown = { error }
    }
    if (!thrown)
      fail(message, () => `Missing expected rejection${expected?.name ? ` (${expected.name})` : ''}.`, { operator: 'rejects', expected })
    matches(thrown.error, expected, message)
  },
  async doesNotReject(given) {
    await (typeof given === 'function' ? given() : given)
  },
})
assert.strict = Object.assign((...given) => ok(...given), assert, {
  equal: assert.strictEqual,
  notEqual: assert.notStrictEqual,
  deepEqual: assert.deepStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
})
assert.strict.strict = assert.strict
module.exports = assert
