// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is JavaScript.
// Bytes that are no UTF-8, in the interpreter of just-bash: by the text of its minified build, as in vendor-fixes.mjs. What decodes and encodes is
// that of the adapter (adapters/just-bash/escaped-bytes.ts), which is built in.
import { fileURLToPath } from 'node:url'

/** @param {string} text */
const exactly = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

/**
 * @param {string} name @param {string} why @param {string} before @param {string} after
 * @returns {(typeof import('./vendor-fixes.mjs').fixes)[number]}
 */
const fix = (name, why, before, after) => ({ name, why, pattern: exactly(before), replacement: after.replaceAll('$', '$$$$') })

/** Files of the adapter that are built in. */
export const parts = ['escaped-bytes.ts', 'syntax/ansi-quoting.ts', 'descriptor-files.ts', 'syntax/subscripts.ts'].map((path) =>
  fileURLToPath(new URL(`../adapters/just-bash/${path}`, import.meta.url)),
)

/** What stands in front of the library. */
export const head = [
  `import { decodeEscaped as $decode, joined as $joined, packed as $packed } from ${JSON.stringify(parts[0])}`,
  `import { readAnsiQuoted as $ansi } from ${JSON.stringify(parts[1])}`,
  `import { withDescriptors as $descriptors, withInput as $withInput } from ${JSON.stringify(parts[2])}`,
  `import { keyOf as $keyOf, subscriptOf as $subscript } from ${JSON.stringify(parts[3])}`,
  'function $value(e,t){if(!t.includes("\\0"))return t;e.state.expansionStderr=(e.state.expansionStderr||"")+"bash: warning: command substitution: ignored null byte in input\\n";return t.replace(/\\0+/g,"")}',
  '',
].join('\n')

export const byteFixes = [
  fix(
    'descriptor of mapfile',
    '`mapfile -u 3` reads that; it read the standard input.',
    'w==="-u"||w==="-C"||w==="-c"?c+=2:',
    'w==="-u"?($u=Number(t[c+1]),c+=2):w==="-C"||w==="-c"?c+=2:',
  ),
  fix(
    'variables of mapfile',
    'As above.',
    's=0,i=0,o=0,a=!1,l="MAPFILE",c=0;for(;c<t.length;)',
    's=0,i=0,o=0,a=!1,l="MAPFILE",c=0,$u=-1,$cut=!1;for(;c<t.length;)',
  ),
  fix(
    'text of mapfile',
    'As above.',
    'let u=n;!u&&e.state.groupStdin!==void 0&&(u=e.state.groupStdin);let f=[],d=0,p=0,h=0,m=',
    'let u=n;if($u>=0){let $c=uc(e,$u);if("error"in $c)return Q("",`bash: mapfile: ${$u}: invalid file descriptor: Bad file descriptor\\n`,1);u=$c.content}else!u&&e.state.groupStdin!==void 0&&(u=e.state.groupStdin);let f=[],d=0,p=0,h=0,m=',
  ),
  fix(
    'last line for mapfile',
    'What `-n` does not take stays.',
    'f.length>=m)return Q("",`mapfile: array element limit exceeded (${m})\n`,1);g(S),p++}}break}let y=u.slice(d,w),',
    'f.length>=m)return Q("",`mapfile: array element limit exceeded (${m})\n`,1);g(S),p++}else $cut=!0}break}let $p=d,y=u.slice(d,w),',
  ),
  fix('lines for mapfile', 'As above.', 'if(s>0&&p>=s)break;if(f.length>=m)', 'if(s>0&&p>=s){d=$p,$cut=!0;break}if(f.length>=m)'),
  fix(
    'what mapfile leaves',
    'As above.',
    'return e.state.groupStdin!==void 0&&!n&&(e.state.groupStdin=""),{...Q("","",0),internalStdinConsumed:u.length}}',
    'let $d=$cut?d:u.length;return $u>=0?cs(e,$u,$d):e.state.groupStdin!==void 0&&!n&&(e.state.groupStdin=u.slice($d)),{...Q("","",0),internalStdinConsumed:$u>=0?0:$d}}',
  ),
  fix(
    'bytes as text, and text as bytes',
    'A byte that is no UTF-8 is an escape in a text, and a byte order mark stays; all was taken for characters of these numbers, and written as two bytes.',
    'try{return Z3.decode(s)}catch{return n}}function Dn(e,t=Tc){if(!e)return e;Rc(_(e),t,"UTF-8 encode");let n=K3.encode(e),r="";for(let s=0;s<n.length;s++)r+=String.fromCharCode(n[s]);return r}',
    'return $decode(s)}function Dn(e,t=Tc){if(!e)return e;Rc(_(e),t,"UTF-8 encode");return $packed(e)}',
  ),
  fix(
    'sizes of texts',
    'Such an escape is one byte: what was printed would be taken for more than is there, which ends the script.',
    's>=56320&&s<=57343?(t+=4,n++):t+=3}else t+=3}return t}function ue(',
    's>=56320&&s<=57343?(t+=4,n++):t+=3}else t+=r>=56448&&r<=56575?1:3}return t}function ue(',
  ),
  fix(
    'files of process substitutions',
    'After the first `<(...)` the filesystem had no hooks any more: no jobs, no traps, no stop, and an empty name was the directory.',
    'e.fs=new Li({base:e.fs,mounts:[{mountPoint:Wl,filesystem:t}]}),',
    'e.fs=$descriptors(e.fs,t),',
  ),
  fix(
    'input of subshells',
    'What a subshell takes of the input around it is taken: `{ (read a); cat; } < file` had the first line twice.',
    'let i=e.state.loopDepth,o=new Map;for(let l of e.state.fileDescriptors?.keys()??[]){let c=Rn(e,l);c&&o.set(l,c)}let a=_p(e.state);',
    'let $own=s||n!=="",i=e.state.loopDepth,o=new Map;for(let l of e.state.fileDescriptors?.keys()??[]){let c=Rn(e,l);c&&o.set(l,c)}let a=_p(e.state);',
  ),
  fix('input of their own', 'As above.', 'l=>e.fs.subshell?e.fs.subshell(', 'l=>($own||=l.stdin!==void 0,e.fs.subshell)?e.fs.subshell('),
  fix(
    'what subshells leave',
    'As above.',
    'a();for(let[c,u]of l)cs(e,c,u)}}async function kO(',
    'let $in=e.state.groupStdin;a();$own||(e.state.groupStdin=$in);for(let[c,u]of l)cs(e,c,u)}}async function kO(',
  ),
  fix(
    'keys of associative arrays',
    'A key is expanded once, and may have a newline, `$` and quotes in it: `${m[$key]}` was empty.',
    'if(e.state.associativeArrays?.has(d)||p.includes("$(")||p.includes("`")||p.includes("${")){let m=await hd(e,p);r=`${d}[${m}]`}}else',
    'if(p==="@"||p==="*");else if(e.state.associativeArrays?.has(rt(e,d)?cn(e,d)??d:d))r=`${d}[${$subscript(await n3(e,p))}]`;else if(p.includes("$(")||p.includes("`")||p.includes("${")){let m=await hd(e,p);r=`${d}[${m}]`}}else',
  ),
  fix('values of such keys', 'As above.', 'let f=El(a);f=M7(e,f);let d=', 'let f=$keyOf(a)??M7(e,El(a));let d='),
  fix(
    'values that are assigned to such keys',
    '`${m[$key]:=value}` was an element of the key 0.',
    'let[,l,c]=a,u;if(/^\\d+$/.test(c))u=Number.parseInt(c,10);',
    'let[,l,c]=a,u,$k=$keyOf(c);if($k!==void 0)return we(e,rt(e,l)?cn(e,l)??l:l,$k,o,"associative"),o;if(/^\\d+$/.test(c))u=Number.parseInt(c,10);',
  ),
  fix('whether there are such keys', 'As above.', 'let l=M7(e,El(i));return Xr(e,s,l)}', 'let l=$keyOf(i)??M7(e,El(i));return Xr(e,s,l)}'),
  fix(
    'results of scripts within scripts',
    'What they print is a text, whoever looks at it; a text that could be bytes was taken for them.',
    't.stdout=$3(t.stdout),t.stderr=$3(t.stderr),t}',
    'ah(t)==="bytes"?Object.assign(t,{stdout:ue(t.stdout),stdoutKind:"text",stdoutEncoding:void 0}):t}',
  ),
  fix(
    'literals',
    "`$'\\377'` is a byte, `$'\\ufc'` has as many digits as it has, and there is `\\U`.",
    'function l7(e,t,n){let r="",s=n;',
    'function l7(e,t,n){let $a=$ansi(t,n);return{part:Y.literal($a.value),endIndex:$a.end}}function l7$(e,t,n){let r="",s=n;',
  ),
  fix(
    'parts of words',
    'Bytes of several expansions that make a character together are one.',
    'let i=s.join("");return ss(i,e.limits.maxStringLength,"word expansion"),i}',
    'let i=$joined(s.join(""));return ss(i,e.limits.maxStringLength,"word expansion"),i}',
  ),
  fix(
    'parts of quoted words',
    'As above.',
    'for(let s of t)r.push(await Tn(e,s,n));return r.join("")}function jN(',
    'for(let s of t)r.push(await Tn(e,s,n));return $joined(r.join(""))}function jN(',
  ),
  fix(
    'parts of a quoted word',
    'As above.',
    'case"DoubleQuoted":{let s=[];for(let i of t.parts)s.push(await Tn(e,i,!0));return s.join("")}case"CommandSubstitution"',
    'case"DoubleQuoted":{let s=[];for(let i of t.parts)s.push(await Tn(e,i,!0));return $joined(s.join(""))}case"CommandSubstitution"',
  ),
  fix(
    'what is added to a value',
    'As above.',
    'i>0&&s.append(t),s.append(e[i]);return s.build()}var Oe,',
    'i>0&&s.append(t),s.append(e[i]);return $joined(s.build())}var Oe,',
  ),
  fix(
    'both streams in one file',
    'Bytes and text in one file, as in `cmd > file 2>&1`, are bytes.',
    'let A=x+S;A!==""&&',
    'let A=d==="binary"?x+Dn(S):x+S;A!==""&&',
  ),
  fix(
    'one stream on the other',
    'As above, and standard error is text.',
    'case"live-stdout":l+=A;break;case"live-stderr":c+=A;break;case"file":await E(O,A,R?p(A):x4(A));break;case"descriptor":await Vd(e,O.source.entry,O.source.descriptors,A,R?p(A):x4(A));break;',
    'case"live-stdout":l+=R||d!=="binary"?A:Dn(A);break;case"live-stderr":c+=R&&d==="binary"?ue(A):A;break;case"file":await E(O,A,R?p(A):"utf8");break;case"descriptor":await Vd(e,O.source.entry,O.source.descriptors,A,R?p(A):"utf8");break;',
  ),
  fix(
    'files of descriptors',
    'What `exec 3< file` reads are bytes, as any input.',
    'let s=await e.fs.readFile(r);return n?{entry:{kind:"readwrite"',
    'let s=await Wt(e.fs,r);return n?{entry:{kind:"readwrite"',
  ),
  fix(
    'here-documents of descriptors',
    'As above.',
    'let A=await wI(e,y.target);if(y.fdVariable)',
    'let A=Dn(await wI(e,y.target));if(y.fdVariable)',
  ),
  fix(
    'here-documents',
    'As above.',
    'c=Dn(A),u=-1,m(x,{kind:"input",content:c});else{let O=',
    'c=A,u=-1,m(x,{kind:"input",content:c});else{let O=',
  ),
  fix(
    'here-strings of variables',
    'As above.',
    'else if(y.operator==="<<<")N={kind:"input",content:`${S}\n`};',
    'else if(y.operator==="<<<")N={kind:"input",content:Dn(`${S}\n`)};',
  ),
  fix(
    'here-strings of descriptors',
    'As above.',
    'else if(y.operator==="<<<")Kn(e,A,{kind:"input",content:`${S}\n`});',
    'else if(y.operator==="<<<")Kn(e,A,{kind:"input",content:Dn(`${S}\n`)});',
  ),
  fix(
    'files that are read and written',
    'As above.',
    'if(o.kind!=="readwrite")return!1;let a=o.content',
    'if(o.kind!=="readwrite")return!1;s!=="binary"&&(r=Dn(r),s="binary");let a=o.content',
  ),
  fix(
    'NULs of a file',
    '`$(< file)` is without them.',
    'm=await e.fs.readFile(h);e.state.lastExitCode=0,e.state.env.set("?","0");let g=m.replace(/\\n+$/,"")',
    'm=await e.fs.readFile(h);e.state.lastExitCode=0,e.state.env.set("?","0");let g=$value(e,m).replace(/\\n+$/,"")',
  ),
  fix(
    'NULs of a substitution',
    'A value has none, and bash says so.',
    'let m=p.stdout.replace(/\\n+$/,"");return ss(m,',
    'let m=$value(e,p.stdout).replace(/\\n+$/,"");return ss(m,',
  ),
  fix(
    'NULs of a substitution that ends early',
    'As above.',
    'let h=p.stdout.replace(/\\n+$/,"");return ss(h,',
    'let h=$value(e,p.stdout).replace(/\\n+$/,"");return ss(h,',
  ),
  fix(
    'words that need quoting',
    'A byte that is no UTF-8 is shown as `\\377`, as bash does.',
    'if(n<32||n===127)return!0}return!1}',
    'if(n<32||n===127)return!0}return/[\\udc80-\\udcff]/u.test(e)}',
  ),
  fix(
    'words that need @Q',
    'As above.',
    'if(/[\\n\\r\\t\\x00-\\x1f\\x7f\']/.test(e)){let n="$\'";',
    "if(Vo(e))return Jd(e);if(e.includes(\"'\"))return`'${e.replace(/'/g,\"'\\\\''\")}'`;if(!1){let n=\"$'\";",
  ),
  fix(
    'words that are quoted',
    'As above.',
    's===92?t+="\\\\\\\\":s<32||s===127?t+=`\\\\${s.toString(8).padStart(3,"0")}`:t+=r}return t+="\'",t}',
    's===92?t+="\\\\\\\\":s>=56448&&s<=56575&&!(e.charCodeAt(n-1)>>10===54)?t+=`\\\\${(s-56320).toString(8)}`:s<32||s===127?t+=`\\\\${s.toString(8).padStart(3,"0")}`:t+=r}return t+="\'",t}',
  ),
  fix(
    'names of two lines',
    '`*` matches a name with a newline in it; a loop over all files passed over it.',
    'let n=this.patternToRegexStr(t);return ie(`^${n}$`)}',
    'let n=this.patternToRegexStr(t);return ie(`^${n}$`,"s")}',
  ),
]
