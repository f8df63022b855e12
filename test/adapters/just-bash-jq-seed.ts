/** Files that the recorded `jq` commands read. */
export const JQ_FILES: Readonly<Record<string, string>> = {
  'users.json':
    '[{"id":1,"name":"Ada","role":"admin","tags":["a","b"],"age":36,"address":{"city":"London"}},{"id":2,"name":"Bob","role":"dev","tags":[],"age":25,"address":null},{"id":3,"name":"Čeněk","role":"dev","tags":["b"],"age":41,"address":{"city":"Brno","zip":"60200"}}]\n',
  'package.json':
    '{"name":"app","version":"1.2.3","scripts":{"build":"tsc -b","test":"vitest run"},"dependencies":{"zod":"^4.0.0","diff":"^9.0.0"},"devDependencies":{"vitest":"4.1.0"}}\n',
  'log.jsonl':
    '{"level":"info","ms":12,"msg":"start"}\n{"level":"error","ms":250,"msg":"boom \\"x\\""}\n{"level":"info","ms":7,"msg":"end"}\n',
  'prog.jq': '# comment\ndef twice: . * 2;\n.[] | .age | twice\n',
  'lib/m.jq': 'def inc: . + 1;\ndef hello($n): "hello \\($n)";\n',
  'lib/d.json': '{"k":[1,2]}\n',
  'text.txt': 'one\ntwo words\n\nlast',
  'two.json': '{"a":1} {"a":2}\n[3]\n',
  'bad.json': '{"a":1}\n{"a":\n',
  'empty.json': '',
}
