// Small trees, with specifiers that Node and our resolver resolve.

export interface Tree {
  readonly files: Readonly<Record<string, string>>
  /** Path -> target. */
  readonly links?: Readonly<Record<string, string>>
  /** Importer -> specifiers, for both `import` and `require` unless the specifier starts with `import:` or `require:`. */
  readonly asks: Readonly<Record<string, readonly string[]>>
}

const json = (value: unknown): string => JSON.stringify(value)
/** A package in node_modules, with these empty files beside its package.json. */
const pack = (name: string, manifest: object, ...files: string[]): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: json({ name, ...manifest }),
  ...Object.fromEntries(files.map((file) => [`node_modules/${name}/${file}`, ''])),
})

export const TREES: Readonly<Record<string, Tree>> = {
  'relative files': {
    files: { 'a.mjs': '', 'b.js': '', 'sub/c.cjs': '', 'sub/index.js': '', 'd.json': '{}' },
    asks: { 'a.mjs': ['./b.js', './b', './sub/c.cjs', './sub', './sub/', './d.json', './d', './none.js', '.', './', './sub/../b.js'] },
  },
  'from a folder': {
    files: { 'index.js': '', 'x.js': '', 'sub/a.js': '', 'sub/index.json': '{}' },
    asks: { 'sub/a.js': ['..', '../', '../x.js', '../x', '.', './', './a.js', '../sub', '../../../../../../../../../../none.js'] },
  },
  'file before folder': { files: { 'a.js': '', 'x.js': '', 'x/index.js': '' }, asks: { 'a.js': ['./x', './x/', './x.js', './x/index'] } },
  'order of extensions': {
    files: { 'a.js': '', 'x.json': '{}', 'x.js': '', 'y.json': '{}', z: '', 'z.js': '', 'w.mjs': '', 'v.cjs': '' },
    asks: { 'a.js': ['./x', './y', './z', './w', './v', './w.mjs'] },
  },
  'percent signs': {
    files: { 'a.js': '', 'b c.js': '', 'd%20e.js': '', 'f?g.js': '', 'ü.js': '', 'h#i.js': '' },
    asks: {
      'a.js': ['./b c.js', './b%20c.js', './d%20e.js', './d%2520e.js', './f?g.js', './f%3Fg.js', './ü.js', './%C3%BC.js', './h#i.js'],
    },
  },
  'encoded separators': {
    files: { 'a.js': '', 'b/c.js': '' },
    asks: { 'a.js': ['./b%2fc.js', './b%5Cc.js', './b%2Fc.js', 'import:./b\\c.js'] },
  },
  queries: { files: { 'a.js': '', 'b.js': '' }, asks: { 'a.js': ['import:./b.js?x', 'import:./b.js#x', 'require:./b.js?x'] } },
  'package with main': {
    files: { 'a.js': '', ...pack('p', { main: './lib/m.js' }, 'lib/m.js', 'other.js', 'index.js') },
    asks: { 'a.js': ['p', 'p/other.js', 'p/other', 'p/lib', 'p/package.json', 'p/none', 'p/'] },
  },
  'main without extension': {
    files: { 'a.js': '', ...pack('p', { main: 'lib/m' }, 'lib/m.js'), ...pack('q', { main: 'lib' }, 'lib/index.js') },
    asks: { 'a.js': ['p', 'q'] },
  },
  'missing main': {
    files: { 'a.js': '', ...pack('p', { main: 'none.js' }, 'index.js'), ...pack('q', { main: 'none.js' }), ...pack('r', {}) },
    asks: { 'a.js': ['p', 'q', 'r'] },
  },
  'unusable main': {
    files: {
      'a.js': '',
      ...pack('p', { main: '' }, 'index.js'),
      ...pack('q', { main: 3 }, 'index.js'),
      ...pack('r', { main: '.' }, 'index.js'),
    },
    asks: { 'a.js': ['p', 'q', 'r'] },
  },
  'main in json': {
    files: { 'a.js': '', ...pack('p', { main: 'm' }, 'm.json'), ...pack('q', {}, 'index.json') },
    asks: { 'a.js': ['p', 'q'] },
  },
  'main with a slash': { files: { 'a.js': '', ...pack('p', { main: './lib/' }, 'lib/index.js') }, asks: { 'a.js': ['p'] } },
  'without package.json': {
    files: { 'a.js': '', 'node_modules/p/index.js': '', 'node_modules/q.js': '', 'node_modules/r/x.js': '' },
    asks: { 'a.js': ['p', 'q', 'q.js', 'r', 'r/x.js', 'r/x', 'p/index.js'] },
  },
  'folder package.json below a package': {
    files: { 'a.js': '', 'sub/package.json': json({ main: 'm.js' }), 'sub/m.js': '' },
    asks: { 'a.js': ['./sub', './sub/'] },
  },
  scoped: {
    files: { 'a.js': '', ...pack('@s/p', { main: 'm.js' }, 'm.js', 'x/y.js') },
    asks: { 'a.js': ['@s/p', '@s/p/x/y.js', '@s/p/x/y', '@s', '@s/', '@s/q', '@'] },
  },
  'nearest node_modules': {
    files: {
      'sub/deep/a.js': '',
      'node_modules/p/index.js': '',
      'sub/node_modules/p/index.js': '',
      'node_modules/q/index.js': '',
      'node_modules/p/only-above.js': '',
    },
    asks: { 'sub/deep/a.js': ['p', 'q', 'p/only-above.js'] },
  },
  'inside node_modules': {
    files: { ...pack('p', {}, 'index.js', 'node_modules/q/index.js'), ...pack('q', {}, 'index.js', 'x.js'), ...pack('r', {}, 'index.js') },
    asks: { 'node_modules/p/index.js': ['q', 'q/x.js', 'r', 'p', 'p/index.js'] },
  },
  'a file that lies in node_modules': {
    files: { 'node_modules/a.js': '', 'node_modules/node_modules/p/index.js': '', 'node_modules/q/index.js': '' },
    asks: { 'node_modules/a.js': ['p', 'q'] },
  },
  'invalid names': {
    files: { 'a.js': '', 'node_modules/.hidden/index.js': '' },
    asks: { 'a.js': ['.hidden', 'import:%70', 'x\\y', 'none', 'none/x', '...', 'require:p%q'] },
  },
  'exports as a string': {
    files: { 'a.js': '', ...pack('p', { exports: './m.js', main: './other.js' }, 'm.js', 'other.js') },
    asks: { 'a.js': ['p', 'p/m.js', 'p/other.js', 'p/package.json', 'p/'] },
  },
  'exports by condition': {
    files: {
      'a.js': '',
      ...pack('p', { exports: { import: './i.js', require: './r.js' } }, 'i.js', 'r.js'),
      ...pack('q', { exports: { browser: './b.js', node: './n.js', default: './d.js' } }, 'b.js', 'n.js', 'd.js'),
      ...pack('r', { exports: { default: './d.js', node: './n.js' } }, 'd.js', 'n.js'),
      ...pack('s', { exports: { 'module-sync': './m.js', default: './d.js' } }, 'm.js', 'd.js'),
    },
    asks: { 'a.js': ['p', 'q', 'r', 's'] },
  },
  'nested conditions': {
    files: {
      'a.js': '',
      ...pack('p', { exports: { node: { import: './i.js', require: './r.js' }, default: './d.js' } }, 'i.js', 'r.js', 'd.js'),
      ...pack('q', { exports: { node: { require: './r.js' }, default: './d.js' } }, 'r.js', 'd.js'),
      ...pack('r', { exports: { '.': { node: { none: './x.js' } } } }, 'x.js'),
      ...pack('s', { exports: { node: { import: null }, default: './d.js' } }, 'd.js'),
    },
    asks: { 'a.js': ['p', 'q', 'r', 's'] },
  },
  'exports with subpaths': {
    files: { 'a.js': '', ...pack('p', { exports: { './x': './lib/x.js', './y.js': './lib/none.js', './z': null } }, 'lib/x.js') },
    asks: { 'a.js': ['p', 'p/x', 'p/x.js', 'p/y.js', 'p/z', 'p/lib/x.js', 'p/none'] },
  },
  'exports with patterns': {
    files: {
      'a.js': '',
      ...pack(
        'p',
        { exports: { './*': './lib/*.js', './in/*': null, './in/ok': './lib/x.js', './f/*.js': './lib/*.js', './long/*/x': './lib/*.js' } },
        'lib/x.js',
        'lib/f/x.js',
        'lib/deep/y.js',
      ),
    },
    asks: { 'a.js': ['p/x', 'p/none', 'p/in/x', 'p/in/ok', 'p/f/x.js', 'p/f/x', 'p/deep/y', 'p/long/deep/y/x', 'p/', 'p/*', 'p/../x'] },
  },
  'patterns with special characters': {
    files: { 'a.js': '', ...pack('p', { exports: { './a.b/*': './l/*', './c+/*.js': './l/*.js' } }, 'l/x.js') },
    asks: { 'a.js': ['p/a.b/x.js', 'p/aXb/x.js', 'p/c+/x.js', 'p/cc/x.js', 'p/a.b/x%2ejs'] },
  },
  'several stars in a target': {
    files: { 'a.js': '', ...pack('p', { exports: { './*': './l/*/*.js' } }, 'l/x/x.js') },
    asks: { 'a.js': ['p/x', 'p/y'] },
  },
  'exports with a trailing slash': {
    files: { 'a.js': '', ...pack('p', { exports: { './l/': './lib/' } }, 'lib/x.js') },
    asks: { 'a.js': ['p/l/x.js', 'p/l/'] },
  },
  'exports outside the package': {
    files: {
      'a.js': '',
      'x.js': '',
      ...pack('p', {
        exports: { './a': '../x.js', './b': './../x.js', './c': '/x.js', './d': './node_modules/q.js', './e': 'q', './f': './%2e%2e/x.js' },
      }),
      ...pack('q', { exports: { './*': './lib/*' } }, 'lib/x.js', 'x.js'),
    },
    asks: { 'a.js': ['p/a', 'p/b', 'p/c', 'p/d', 'p/e', 'p/f', 'q/../x.js', 'q/node_modules/x.js', 'q/x.js', 'q/./x.js', 'q/%2e%2e/x.js'] },
  },
  'exports of all types': {
    files: {
      'a.js': '',
      ...pack(
        'p',
        {
          exports: { '.': 3, './b': true, './c': {}, './d': [], './e': [null], './f': ['x', './m.js'], './g': [{ none: './x' }, './m.js'] },
        },
        'm.js',
      ),
      ...pack('q', { exports: ['./none.js', './m.js'] }, 'm.js'),
      ...pack('r', { exports: {} }, 'index.js'),
      ...pack('s', { exports: null, main: 'm.js' }, 'm.js'),
      ...pack('t', { exports: [{ require: './m.js' }, './i.js'] }, 'm.js', 'i.js'),
      ...pack('u', { exports: ['x', null] }, 'm.js'),
      ...pack('v', { exports: [null, 'x'] }, 'm.js'),
    },
    asks: { 'a.js': ['p', 'p/b', 'p/c', 'p/d', 'p/e', 'p/f', 'p/g', 'q', 'r', 's', 't', 'u', 'v'] },
  },
  'exports with mixed keys': {
    files: {
      'a.js': '',
      ...pack('p', { exports: { '.': './m.js', import: './m.js' } }, 'm.js'),
      ...pack('q', { exports: { '.': { 0: './m.js', default: './m.js' } } }, 'm.js'),
    },
    asks: { 'a.js': ['p', 'q'] },
  },
  'exports to a folder': {
    files: { 'a.js': '', ...pack('p', { exports: { '.': './lib', './l': './lib/' } }, 'lib/index.js') },
    asks: { 'a.js': ['p', 'p/l'] },
  },
  'exports with percent signs': {
    files: {
      'a.js': '',
      ...pack('p', { exports: { './a': './b%20c.js', './d': './e%2ff.js', './g': './h?i.js' } }, 'b c.js', 'b%20c.js', 'h', 'h?i.js'),
    },
    asks: { 'a.js': ['p/a', 'p/d', 'p/g'] },
  },
  'self reference': {
    files: { 'package.json': json({ name: 'me', exports: { '.': './m.js', './x': './x.js' } }), 'm.js': '', 'x.js': '', 'sub/a.js': '' },
    asks: { 'm.js': ['me', 'me/x', 'me/none', 'me/x.js', 'meh'], 'sub/a.js': ['me', 'me/x'] },
  },
  'self reference without exports': {
    files: { 'package.json': json({ name: 'me', main: 'm.js' }), 'm.js': '' },
    asks: { 'm.js': ['me', 'me/m.js'] },
  },
  'self reference of a scoped package': {
    files: { 'package.json': json({ name: '@s/me', exports: './m.js' }), 'm.js': '' },
    asks: { 'm.js': ['@s/me', '@s/me/x', '@s/other'] },
  },
  'imports map': {
    files: {
      'package.json': json({
        imports: {
          '#a': './a.js',
          '#by': { import: './i.js', require: './r.js' },
          '#dep': 'p',
          '#sub': 'p/x.js',
          '#lib/*': './lib/*.js',
          '#pack/*': 'p/*',
          '#none': null,
          '#out': '../x.js',
          '#abs': '/x.js',
          '#self': '#a',
          '#fs': 'fs',
          '#nodefs': 'node:fs',
          '#url': 'https://x.test/',
          '#missing': 'missing-package',
          '#arr': ['../x', './a.js'],
        },
      }),
      'a.js': '',
      'i.js': '',
      'r.js': '',
      'lib/x.js': '',
      ...pack('p', {}, 'index.js', 'x.js'),
    },
    asks: {
      'a.js': [
        ...[
          '#a',
          '#by',
          '#dep',
          '#sub',
          '#lib/x',
          '#lib/y',
          '#pack/x.js',
          '#none',
          '#out',
          '#abs',
          '#self',
          '#fs',
          '#nodefs',
          '#url',
          '#missing',
        ],
        ...['#undefined', 'import:#', '#/x', '#lib/', '#arr', '#lib/../x'],
      ],
    },
  },
  'missing imports map': {
    files: { 'package.json': json({ name: 'x' }), 'a.js': '', 'sub/package.json': '{}', 'sub/b.js': '' },
    asks: { 'a.js': ['#a'], 'sub/b.js': ['#a'] },
  },
  'invalid package.json': {
    files: { 'a.js': '', 'node_modules/p/package.json': '{', 'node_modules/p/index.js': '' },
    asks: { 'a.js': ['p', 'p/index.js'] },
  },
  links: {
    files: { 'a.js': '', 'real/p/index.js': '', 'real/p/package.json': '{}', 'real/q/index.js': '', 'x.js': '' },
    links: { 'node_modules/p': '../real/p', 'l.js': 'x.js', dir: 'real', 'gone.js': 'nowhere.js' },
    asks: { 'a.js': ['p', './l.js', './l', './dir/q', './dir/q/index.js', './dir', './gone.js'] },
  },
  'from a linked package': {
    files: { 'real/p/index.js': '', 'real/node_modules/q/index.js': '', 'node_modules/r/index.js': '', 'node_modules/q/index.js': '' },
    links: { 'node_modules/p': '../real/p' },
    asks: { 'real/p/index.js': ['q', 'r'] },
  },
  builtins: {
    files: { 'a.js': '', 'node_modules/fs/index.js': '', 'node_modules/test/index.js': '', 'fs.js': '' },
    asks: { 'a.js': ['fs', 'node:fs', 'fs/promises', 'node:fs/promises', './fs', 'fs/', 'fs/none', 'test', 'node:none', 'path/posix'] },
  },
  'file URLs': {
    files: { 'a.js': '', 'b.js': '' },
    asks: { 'a.js': ['require:file:///none/x.js', 'import:file:///none/x.js', 'import:https://x.test/a.js', 'import:x:y'] },
  },
  'legacy fields': {
    files: {
      'a.js': '',
      ...pack('p', { module: 'm.mjs', browser: 'b.js', main: 'm.js' }, 'm.mjs', 'b.js', 'm.js'),
      ...pack('q', { browser: 'b.js' }, 'b.js', 'index.js'),
    },
    asks: { 'a.js': ['p', 'q'] },
  },
  'nanoid 5': {
    files: {
      'a.js': '',
      ...pack(
        'nanoid',
        {
          type: 'module',
          browser: { './index.js': './index.browser.js' },
          exports: {
            '.': { types: './index.d.ts', browser: './index.browser.js', 'react-native': './index.browser.js', default: './index.js' },
            './non-secure': { types: './non-secure/index.d.ts', default: './non-secure/index.js' },
            './package.json': './package.json',
          },
        },
        ...['index.js', 'index.browser.js', 'index.d.ts', 'non-secure/index.js', 'url-alphabet/index.js'],
      ),
    },
    asks: { 'a.js': ['nanoid', 'nanoid/non-secure', 'nanoid/package.json', 'nanoid/url-alphabet', 'nanoid/index.js'] },
  },
  'uuid 11': {
    files: {
      'a.js': '',
      ...pack(
        'uuid',
        {
          type: 'module',
          main: './dist/cjs/index.js',
          module: './dist/esm/index.js',
          exports: {
            '.': {
              node: { import: './dist/esm/index.js', require: './dist/cjs/index.js' },
              browser: { import: './dist/esm-browser/index.js', require: './dist/cjs-browser/index.js' },
              default: './dist/esm-browser/index.js',
            },
            './package.json': './package.json',
          },
        },
        ...['dist/esm/index.js', 'dist/cjs/index.js', 'dist/esm-browser/index.js', 'dist/cjs-browser/index.js'],
      ),
    },
    asks: { 'a.js': ['uuid', 'uuid/package.json', 'uuid/dist/esm/index.js', 'uuid/v4'] },
  },
  'zod 4': {
    files: {
      'a.js': '',
      ...pack(
        'zod',
        {
          type: 'module',
          main: './index.cjs',
          exports: {
            '.': { '@zod/source': './src/index.ts', types: './index.d.cts', import: './index.js', require: './index.cjs' },
            './mini': { '@zod/source': './src/mini/index.ts', import: './mini/index.js', require: './mini/index.cjs' },
            './v4/locales/*': { import: './v4/locales/*', require: './v4/locales/*' },
          },
        },
        ...['index.js', 'index.cjs', 'mini/index.js', 'mini/index.cjs', 'v4/locales/en.js', 'v4/locales/en.cjs'],
      ),
    },
    asks: { 'a.js': ['zod', 'zod/mini', 'zod/v4/locales/en.js', 'zod/v4/locales/en.cjs', 'zod/v4/locales/none.js', 'zod/v4'] },
  },
  'semver 7 and is-number 7': {
    files: {
      'a.js': '',
      ...pack('semver', { main: 'index.js' }, 'index.js', 'functions/satisfies.js', 'classes/index.js'),
      ...pack('is-number', { main: 'index.js', files: ['index.js'] }, 'index.js'),
      ...pack('lodash-es', { type: 'module', main: 'lodash.js', module: 'lodash.js', jsnext: 'lodash.js' }, 'lodash.js', 'add.js'),
    },
    asks: {
      'a.js': [
        'semver',
        'semver/functions/satisfies',
        'semver/functions/satisfies.js',
        'semver/classes',
        'is-number',
        'lodash-es',
        'lodash-es/add.js',
        'lodash-es/add',
      ],
    },
  },
}
