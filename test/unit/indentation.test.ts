// @module-tag edit-file
import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import { type IndentationOptions, readIndentation } from '../../src/ops/indentation.js'

const defaults = { maxLevels: 0, includeSiblings: false, includeHeader: true, limit: 2000 }
const read = (lines: readonly string[], options: Partial<IndentationOptions> & { anchorLine: number }): [number, number] => {
  const { start, end } = readIndentation(lines, { ...defaults, ...options })
  return [start, end]
}

const rust = `mod shapes {
    /// Area of a square.
    fn area(side: u32) -> u32 {
        if side == 0 {
            return 0;
        }
        if side > 100 {
            report(side);
        }
        side * side
    }
}

fn main() {
    println!("{}", shapes::area(3));
}`.split('\n')

describe('indentation mode on rust', () => {
  test('one level is the block around the anchor', () => {
    expect(read(rust, { anchorLine: 5, maxLevels: 1 })).toEqual([4, 6])
    expect(read(rust, { anchorLine: 8, maxLevels: 1 })).toEqual([7, 9])
  })

  test('siblings are every block of that level', () => {
    expect(read(rust, { anchorLine: 5, maxLevels: 1, includeSiblings: true })).toEqual([4, 10])
  })

  test('more levels are the function with its comment, then the module cap:68', () => {
    expect(read(rust, { anchorLine: 5, maxLevels: 2 })).toEqual([2, 11])
    expect(read(rust, { anchorLine: 5, maxLevels: 2, includeHeader: false })).toEqual([3, 11])
    expect(read(rust, { anchorLine: 5, maxLevels: 3 })).toEqual([1, 12])
  })

  test('no level limit gives the outermost block', () => {
    expect(read(rust, { anchorLine: 5 })).toEqual([1, 12])
    expect(read(rust, { anchorLine: 5, includeSiblings: true })).toEqual([1, 16])
  })
})

const python = `import os

class Store:
    def __init__(self, root):
        self.root = root
    def path(self, name):
        if not name:
            return self.root
        full = os.path.join(self.root, name)
        return full
class Other:
    pass`.split('\n')

describe('indentation mode on python', () => {
  test('siblings are the methods of the class cap:68', () => {
    expect(read(python, { anchorLine: 9, maxLevels: 1, includeSiblings: true })).toEqual([4, 10])
  })

  test('one level is the enclosing block', () => {
    expect(read(python, { anchorLine: 8, maxLevels: 1 })).toEqual([7, 9])
  })
})

const cpp = `#include <map>

namespace demo {
class Machine {
public:
    void reset() {
        if (on_) {
            stop();
        }
    }

    // Moves on by one.
    // Never throws.
    int step() const {
        switch (state_) {
            case State::Idle:
                return idle();

            case State::Busy:
                return busy();
        }
    }

private:
    bool on_ = false;
};
}  // namespace demo`.split('\n')

describe('indentation mode on c++', () => {
  test('one level around a case is the switch cap:68', () => {
    expect(read(cpp, { anchorLine: 19, maxLevels: 1 })).toEqual([15, 21])
  })

  test('two levels are the method with the comments above it', () => {
    expect(read(cpp, { anchorLine: 19, maxLevels: 2 })).toEqual([12, 22])
    expect(read(cpp, { anchorLine: 19, maxLevels: 2, includeHeader: false })).toEqual([14, 22])
  })

  test('siblings include the other methods, without blank lines at the ends', () => {
    expect(read(cpp, { anchorLine: 19, maxLevels: 2, includeSiblings: true })).toEqual([6, 22])
  })
})

describe('limits of indentation mode', () => {
  const flat = ['a', 'b', 'c', 'd', 'e']

  test('grow from the anchor in both directions, upwards first', () => {
    const all = { anchorLine: 3, includeSiblings: true }
    expect(read(flat, { ...all, limit: 2 })).toEqual([2, 3])
    expect(read(flat, { ...all, limit: 3 })).toEqual([2, 4])
    expect(read(flat, { ...all, limit: 4 })).toEqual([1, 4])
    expect(read(flat, { ...all, limit: 100 })).toEqual([1, 5])
  })

  test('continue on one side when the other ends', () => {
    expect(read(flat, { anchorLine: 1, includeSiblings: true, limit: 3 })).toEqual([1, 3])
    expect(read(flat, { anchorLine: 5, includeSiblings: true, limit: 3 })).toEqual([3, 5])
  })

  test('maxLines is a further limit, and 1 returns the anchor', () => {
    expect(read(flat, { anchorLine: 3, includeSiblings: true, maxLines: 3 })).toEqual([2, 4])
    expect(read(flat, { anchorLine: 3, includeSiblings: true, maxLines: 1 })).toEqual([3, 3])
    expect(read(flat, { anchorLine: 3, limit: 1 })).toEqual([3, 3])
  })
})

describe('details of indentation mode', () => {
  test('a tab counts as four spaces', () => {
    expect(read(['a {', '\tb {', '        c', '\t}', '}'], { anchorLine: 3, maxLevels: 1 })).toEqual([2, 4])
  })

  test('a blank line has the indentation of the line before', () => {
    expect(read(['f() {', '    a', '', '    b', '}'], { anchorLine: 2, maxLevels: 0, includeSiblings: true })).toEqual([1, 5])
    expect(read(['    a', '', '    b', 'c'], { anchorLine: 1, maxLevels: 0, includeSiblings: true, maxLines: 2 })).toEqual([1, 1])
  })

  test('only blank lines return the anchor', () => {
    expect(read(['', '  ', ''], { anchorLine: 2, includeSiblings: true })).toEqual([2, 2])
  })

  test.each([0, 4, 1.5, Number.NaN])('anchor %d outside of three lines is rejected', (anchorLine) => {
    expect(() => read(['a', 'b', 'c'], { anchorLine })).toThrow(InputError)
  })

  test('a long file takes linear time', () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => (i % 2 ? '' : '    x'))
    expect(read(lines, { anchorLine: 100_000, includeSiblings: true, limit: 1_000_000 })).toEqual([1, 199_999])
  })
})
