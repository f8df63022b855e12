// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash, and JavaScript.
// Faults of just-bash that nothing outside of it can mend, by the text of its minified build (scripts/vendor.mjs).

/** @param {string} text */
const exactly = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

/** @param {string} name @param {string} why @param {string} before @param {string} after */
const fix = (name, why, before, after) => ({ name, why, pattern: exactly(before), replacement: after.replaceAll('$', '$$$$') })

/**
 * Each has to match exactly once. `why`: what bash does and the library did not.
 *
 * `$text` expands a text as in double quotes, `$pattern` a word as a pattern, in which what is quoted stands for itself.
 *
 * @type {readonly { readonly name: string; readonly why: string; readonly pattern: RegExp; readonly replacement: string }[]}
 */
export const fixes = [
  fix(
    'parameters in arithmetic',
    '`$(( ${count[$key]:-0} + 1 ))` reads the element; it was taken for unset, and the sum was wrong.',
    'async function Gl(e,t){if(t.startsWith("#")){let f=t.slice(1)',
    'function $substitutes(e){return Array.isArray(e)?e.some($substitutes):!!e&&typeof e=="object"&&(e.type==="CommandSubstitution"||e.type==="ArithCommandSubst"||Object.values(e).some($substitutes))}' +
      'async function $text(e,t){return await _e(e,or(`: "${t}"`).statements[0].pipelines[0].commands[0].args[0])}' +
      'async function $pattern(e,t){let n="";for(let r of t.parts){let s=await _e(e,{type:"Word",parts:[r]});n+=/^(?:SingleQuoted|DoubleQuoted|Escaped)$/.test(r.type)?On(s):s}return n}' +
      'async function Gl(e,t){return $text(e,"${"+t+"}")}async function Gl$(e,t){if(t.startsWith("#")){let f=t.slice(1)',
  ),
  fix(
    'substitution in arithmetic',
    '`$(( 2 * $(f) ))` runs `f` in a subshell of this shell, with its functions and variables.',
    'case"ArithCommandSubst":{if(e.execFn){let i=await e.execFn(t.command,{signal:e.state.signal});i.stderr&&(e.state.expansionStderr=(e.state.expansionStderr||"")+i.stderr);let o=i.stdout.trim();return Number.parseInt(o,10)||0}return 0}case"ArithBracedExpansion":{let i=await Gl(e,t.content);return Number.parseInt(i,10)||0}',
    'case"ArithCommandSubst":case"ArithBracedExpansion":{let o=(await(t.type==="ArithCommandSubst"?$text(e,"$("+t.command+")"):Gl(e,t.content))).trim();if(o==="")return 0;if(/^-?(?:0|[1-9]\\d*)$/.test(o))return Number.parseInt(o,10);let{expr:c}=$i(new be(),o,0);return await s(c)}',
  ),
  fix(
    'substitution in a number',
    'As above.',
    'return e.execFn?(await e.execFn(t.command,{signal:e.state.signal})).stdout.trim():"0";case"ArithConcat"',
    'return(await $text(e,"$("+t.command+")")).trim();case"ArithConcat"',
  ),
  fix(
    'substitution in a subscript',
    'As above, in `a[$(f)]`.',
    'if(e.execFn){let u=await e.execFn(c,{signal:e.state.signal});i+=u.stdout.replace(/\\n+$/,""),u.stderr&&(e.state.expansionStderr=(e.state.expansionStderr||"")+u.stderr)}o=l}',
    'i+=await $text(e,"$("+c+")"),o=l}',
  ),
  fix(
    'default of an unset variable',
    '`"${name:-default}"` is no use of an unset variable under `set -u`.',
    'else{let l=r.parameter,c=await Cr(e,l),u=await We(e,l),f=u===""',
    'else{let l=r.parameter,c=await Cr(e,l),u=await We(e,l,!1),f=u===""',
  ),
  fix(
    'unbound variable',
    'Ends the shell with status 127.',
    'if(i instanceof Jt)return r.append("stdout",i.stdout,i.internalOutputAccounting.stdout),r.append("stderr",i.stderr,i.internalOutputAccounting.stderr),n=1,',
    'if(i instanceof Jt)return r.append("stdout",i.stdout,i.internalOutputAccounting.stdout),r.append("stderr",i.stderr,i.internalOutputAccounting.stderr),n=127,',
  ),
  fix(
    'replacing a % or #',
    'In `${x//%/y}` the % is a character; only behind a single slash it means the end.',
    'let c=null;t[i]==="#"?(c="start",i++):t[i]==="%"&&(c="end",i++)',
    'let c=null;l||(t[i]==="#"?(c="start",i++):t[i]==="%"&&(c="end",i++))',
  ),
  fix(
    'errexit on the left of || and &&',
    '`set -e` does not end a function whose failure is looked at.',
    'let f=await this.executePipeline(c);n.appendResult(f,$c(f))',
    'let $k=this.ctx.state.inCondition,f;if(l<t.pipelines.length-1||c.negated)this.ctx.state.inCondition=!0;try{f=await this.executePipeline(c)}finally{this.ctx.state.inCondition=$k}n.appendResult(f,$c(f))',
  ),
  fix(
    'long brace ranges',
    '`{1..20000}` has 20,000 words; it was cut at 10,000, silently. What is longer than the limit is an error.',
    'var Uo=1e4,md={maxResults:Uo,maxStringBytes:10*1024*1024};function Ll(e,t,n,r){if(e.length>=n.maxResults)return!1;',
    'var Uo=1/0,md={maxResults:1e6,maxStringBytes:64*1024*1024};function Ll(e,t,n,r){if(e.length>=n.maxResults)throw new C(`brace expansion limit exceeded (${n.maxResults} words)`,"brace_expansion");',
  ),
  fix(
    'globs of directories',
    '`*/` matches directories only, and keeps the slash.',
    'async expand(t){if(this.globstar){let r=t.split("/")',
    'async expand(t){if(/[^/]\\/+$/.test(t)&&this.hasGlobChars(t)){let o=[];for(let p of await this.expand(t.replace(/\\/+$/,""))){let s=await this.fs.stat(this.fs.resolvePath(this.cwd,p)).catch(()=>{});s?.isDirectory&&o.push(p+"/")}return o}if(this.globstar){let r=t.split("/")',
  ),
  fix(
    'patterns of case',
    "In `'['*']'` the brackets stand for themselves.",
    'let u=await _e(e,c);Vw(c)&&(u=On(u));let f=e.state.shoptOptions.nocasematch',
    'let u=await $pattern(e,c);let f=e.state.shoptOptions.nocasematch',
  ),
  fix(
    'list of options',
    '`set -o` has a tab behind each name.',
    'let t=j4.map(r=>`${r.padEnd(16)}${e.state.options[r]?"on":"off"}`),n=H4.map(r=>`${r.padEnd(16)}off`)',
    'let t=j4.map(r=>`${r.padEnd(15)}\t${e.state.options[r]?"on":"off"}`),n=H4.map(r=>`${r.padEnd(15)}\toff`)',
  ),
  fix(
    'elements as one text',
    '`t="${a[*]}"` has the first character of IFS between the elements.',
    'if(f.length>0)return f.map(([,p])=>p).join(" ");let d=e.state.env.get(o);return d!==void 0?d:""}if(o==="FUNCNAME")',
    'if(f.length>0)return f.map(([,p])=>p).join(a==="*"?Ne(e.state.env):" ");let d=e.state.env.get(o);return d!==void 0?d:""}if(o==="FUNCNAME")',
  ),
  fix(
    'lists for a nameref',
    '`local -n ref=list; ref+=(x)` adds to `list`.',
    'cannot assign list to array member\n`,1)}}if(un(e,n)){if(t.name)return o+=',
    'cannot assign list to array member\n`,1)};if(m&&/^[a-zA-Z_]\\w*$/.test(m))n=m}if(un(e,n)){if(t.name)return o+=',
  ),
  fix(
    'declare -p: keys',
    'The elements of an associative array are shown as bash shows them, which can be read again.',
    "function sp(e){return Tt(e)}function ip(e){return`'${e.replace(/'/g,\"'\\\\''\")}'`}",
    'function sp(e){return Go(e)}function ip(e){return/^[\\w@%+=:,./-]+$/.test(e)?e:Go(e)}',
  ),
  ...['f', 'i', 'w'].map((elements, i) => {
    const name = ['i', 'r', 'f'][i]
    return fix(
      'declare -p: elements',
      'As above.',
      `declare -A \${${name}}=(\${${elements}.join(" ")})`,
      `declare -A \${${name}}=(\${${elements}.join(" ")} )`,
    )
  }),
  fix(
    'status of an assignment',
    '`x=$?` succeeds, whatever came before; only a substitution in it may fail. `set -e` ended scripts at `cmd || code=$?`.',
    'Q("",N,this.ctx.state.lastExitCode)',
    'Q("",N,$substitutes(t.assignments)?this.ctx.state.lastExitCode:0)',
  ),
  fix(
    'limits in a pipe',
    'A stage that ends at a limit ends the script: what follows would work on a part of its output, and succeed.',
    'a.push(R.exitCode),R.exitCode!==0&&(o=R.exitCode),x?',
    'if(u&&!x&&R.exitCode===126&&/limit exceeded/.test(R.stderr))throw new C(R.stderr.trim().replace(/^bash: /,""),"pipeline");a.push(R.exitCode),R.exitCode!==0&&(o=R.exitCode),x?',
  ),
  fix(
    'quotes within an expansion',
    '`${a[@]+"${a[@]}"}` and `${1+"$@"}` keep the words apart: a quoted alternative stands where the expansion does.',
    'async function dr(e,t){return $w(e,t,VN())}',
    'async function dr(e,t){for(let[n,r]of t.parts.entries())if(r.type==="ParameterExpansion"&&/^(?:DefaultValue|UseAlternative)$/.test(r.operation?.type)&&R7(r)){let s=await Dw(e,r);if(s)return dr(e,{...t,parts:t.parts.toSpliced(n,1,...s)})}else if(r.type==="ParameterExpansion"&&/^(?:DefaultValue|UseAlternative)$/.test(r.operation?.type)&&r.operation.word?.parts.some($all)){let s=await Dw(e,r);if(s)return $words(e,t,n,s)}return $w(e,t,VN())}' +
      // `${1+"$@" x}`: its blanks part words, and what is quoted stays whole.
      'function $all(e){return e.type==="DoubleQuoted"&&e.parts.some(t=>t.type==="ParameterExpansion"&&/^@$|\\[@\\]$/.test(t.parameter))}' +
      'async function $words(e,t,n,r){let s=[t.parts.slice(0,n)];for(let i of r){if(i.type!=="Literal"){s.at(-1).push(i);continue}let o=i.value.split(/[ \\t\\n]+/);for(let[a,l]of o.entries()){if(a>0)s.push([]);if(l!=="")s.at(-1).push({type:"Literal",value:l})}}s.at(-1).push(...t.parts.slice(n+1));let i=[];for(let o of s)if(o.length>0)i.push(...(await dr(e,{...t,parts:o})).values);return{values:i,quoted:!0}}',
  ),
  fix(
    'braces beside quotes',
    '`{a,b}\\ c` and `{a,b}"x y"` are one word.',
    'this.scanBraceExpansion(n)!==null?this.readWordWithBraceExpansion(n,r,s):this.scanLiteralBraceWord(n)!==null?this.readWordWithBraceExpansion(n,r,s):o!==void 0',
    'o!==void 0',
  ),
  fix(
    'variables of the shell',
    '`EPOCHSECONDS`, `EPOCHREALTIME`, `SRANDOM`, `SHLVL` and `BASH_SUBSHELL` were empty.',
    'case"BASH_VERSION":return T6;',
    'case"BASH_VERSION":return T6;case"EPOCHSECONDS":return String(Math.floor(Date.now()/1e3));case"EPOCHREALTIME":return(Date.now()/1e3).toFixed(6);case"SRANDOM":return String(Math.floor(Math.random()*4294967296));case"SHLVL":return String((e.place?.depth??0)+1);case"BASH_SUBSHELL":return String(e.place?.level??0);case"BASH_VERSINFO":return $versinfo[0];',
  ),
  fix(
    'whether they are set',
    'As above.',
    '"RANDOM","SECONDS","BASH_VERSION","!","BASHPID","LINENO"]).has(t))return!0;',
    '"RANDOM","SECONDS","BASH_VERSION","!","BASHPID","LINENO","EPOCHSECONDS","EPOCHREALTIME","SRANDOM","SHLVL","BASH_SUBSHELL","BASH_VERSINFO"]).has(t))return!0;',
  ),
  fix(
    'version as an array',
    '`${BASH_VERSINFO[0]}` was empty.',
    'function xe(e,t){return t==="FUNCNAME"?',
    'var $versinfo=["5","1","0","1","release","x86_64-pc-linux-gnu"];function xe(e,t){return t==="BASH_VERSINFO"?$versinfo.map((i,o)=>[o,i]):t==="FUNCNAME"?',
  ),
  fix(
    'elements of the version',
    'As above.',
    'if(o==="FUNCNAME"){let f=Number.parseInt(a,10);return',
    'if(o==="BASH_VERSINFO")return $versinfo[Number.parseInt(a,10)]??"";if(o==="FUNCNAME"){let f=Number.parseInt(a,10);return',
  ),
  fix(
    'message of an unset parameter',
    '`${x:?message}` names the variable, and ends `bash -c` with status 127, a script or a subshell with 1.',
    'let o=n.word?await s(e,n.word.parts,r.inDoubleQuotes):`${t}: parameter null or not set`;throw new he(1,"",`bash: ${o}\n`)',
    'let o=n.word?.parts.length?await s(e,n.word.parts,r.inDoubleQuotes):`parameter ${n.checkEmpty?"null or ":""}not set`;throw new he(e.place?.level||!/^(?:bash|sh)$/.test(e.state.env.get("0")??"bash")?1:127,"",`bash: ${t}: ${o}\n`)',
  ),
  fix(
    'exec',
    '`exec command` ends the shell with the status of the command, without its EXIT trap.',
    'S=await fs(this.ctx,S,t.redirections,b.targets,b.dupSources,b.standardRoutes,S.internalProducerCommand??u,S.internalProducerOmitsShellPrefix),g.finish(),E)throw E;',
    'S=await fs(this.ctx,S,t.redirections,b.targets,b.dupSources,b.standardRoutes,S.internalProducerCommand??u,S.internalProducerOmitsShellPrefix),g.finish(),E)throw E;if(u==="exec"){this.ctx.place?.traps.delete("EXIT");let $r=this.ctx.fs.print?await this.ctx.fs.print(this.ctx,S):S;throw new he($r.exitCode,$r.stdout,$r.stderr)}',
  ),
  fix('set -E', 'Functions and subshells have the ERR trap.', '["T",null],["E",null]', '["T",null],["E","errtrace"]'),
  fix('set -o errtrace', 'As above.', '["errtrace",null]', '["errtrace","errtrace"]'),
  fix(
    'arrays as assignments',
    '`${a[@]@A}` and `${a[@]@K}` gave the values only: they are an error.',
    'operation?.type!=="Transform")return null;let r=n.parts[0],s=r.parameter.match(/^([a-zA-Z_][a-zA-Z0-9_]*)\\[([@*])\\]$/);if(!s)return null;',
    'operation?.type!=="Transform")return null;let r=n.parts[0],s=r.parameter.match(/^([a-zA-Z_][a-zA-Z0-9_]*)\\[([@*])\\]$/);if(!s)return null;if(/[AKk]/.test(r.operation.operator))throw new nn("${"+r.parameter+"@"+r.operation.operator+"} is not supported here (use declare -p "+s[1]+")");',
  ),
  fix(
    'errors of arithmetic',
    '`$((1/0))` ends the line, and not the command alone.',
    'if(i instanceof Ge){r.append("stdout",i.stdout,i.internalOutputAccounting.stdout),r.append("stderr",i.stderr,i.internalOutputAccounting.stderr),n=1,this.ctx.state.lastExitCode=n,this.ctx.state.env.set("?",String(n));continue}',
    'if(i instanceof Ge){r.append("stdout",i.stdout,i.internalOutputAccounting.stdout),r.append("stderr",i.stderr,i.internalOutputAccounting.stderr),n=1,this.ctx.state.lastExitCode=n,this.ctx.state.env.set("?",String(n));$line=this.ctx.state.currentLine;continue}',
  ),
  fix(
    'line of an error',
    'As above.',
    'r=new hn(this.ctx.executionScope,"script");for(let s of t.statements)try{',
    'r=new hn(this.ctx.executionScope,"script"),$line;for(let s of t.statements)try{if($line!==void 0&&s.pipelines[0]?.commands[0]?.line===$line)continue;',
  ),
  fix(
    'environment of bash -c',
    '`env -u HOME sh -c`, `env -i bash` and `unset X; bash -c` take the variables away.',
    'return o?await o(i,{env:s,cwd:r.cwd,signal:r.signal}):await r.exec(i,{env:s,cwd:r.cwd,stdin:',
    'return o?await o(i,{env:s,replaceEnv:!0,cwd:r.cwd,signal:r.signal}):await r.exec(i,{env:s,replaceEnv:!0,cwd:r.cwd,stdin:',
  ),
  fix(
    'variables of bash -c',
    'As above: it has those of every shell, which are not exported.',
    'let h=u.replaceEnv?new Map:new Map(this.state.env)',
    'let h=new Map(u.replaceEnv?[...this.state.env].filter(([y])=>/^(?:IFS|OPTIND|(?:OS|MACH|HOST)TYPE|HOSTNAME)$/.test(y)):this.state.env)',
  ),
  fix(
    'test with two words',
    '`[ a b ]` is an error.',
    'unary operator expected\n`,2):Q("","",1)',
    'unary operator expected\n`,2):K(`test: ${r}: unary operator expected\n`,2)',
  ),
  fix(
    'order of set -x',
    'The trace comes before what the command prints.',
    'let x=await J4(this.ctx,u,f);',
    'let x=await J4(this.ctx,u,f);if(x&&this.ctx.fs.print){await this.ctx.fs.print(this.ctx,{stdout:"",stderr:x,exitCode:0});x=""}',
  ),
  fix(
    'set -e in process substitutions',
    'They keep it, command substitutions do not.',
    'let h;try{h=await (e.fs.substitute?e.fs.substitute(e,()=>e.executeScript(t)):e.executeScript(t))}',
    'let h;try{h=await (e.fs.substitute?e.fs.substitute(e,()=>e.executeScript(t),!0):e.executeScript(t))}',
  ),
  fix(
    'files of the input',
    'Programs may name their input `/dev/stdin` or `/dev/fd/0`.',
    'let m={fs:i.fs,fsIdentity',
    'let m={fs:n.some(S=>/^\\/(?:dev\\/stdin|(?:dev|proc\\/self)\\/fd\\/0)$/.test(S))?$withInput(i.fs,()=>m.stdin):i.fs,fsIdentity',
  ),
  fix(
    'jq',
    'It is not offered: the real one takes its place (adapters/just-bash/commands/jq).',
    '{name:"jq",load:async()=>(await Promise.resolve().then(()=>(Jg(),Yg))).jqCommand},',
    '',
  ),
  fix('the module of jq', 'As above: nothing holds it.', 'ae(Yg,{flagsForFuzzing:()=>HS,jqCommand:()=>jS});', ''),
  // Commands of ours that need nothing of the library's: it is left out.
  ...[
    [
      'basename',
      '{name:"basename",load:async()=>(await Promise.resolve().then(()=>(tg(),eg))).basenameCommand},',
      'ae(eg,{basenameCommand:()=>M5,flagsForFuzzing:()=>_5});',
    ],
    [
      'chmod',
      '{name:"chmod",load:async()=>(await Promise.resolve().then(()=>(Hh(),jh))).chmodCommand},',
      'ae(jh,{chmodCommand:()=>sb,flagsForFuzzing:()=>ob});',
    ],
    [
      'column',
      '{name:"column",load:async()=>(await Promise.resolve().then(()=>(z0(),U0))).column},',
      'ae(U0,{column:()=>m5,flagsForFuzzing:()=>g5});',
    ],
    [
      'comm',
      '{name:"comm",load:async()=>(await Promise.resolve().then(()=>(a0(),o0))).commCommand},',
      'ae(o0,{commCommand:()=>uE,flagsForFuzzing:()=>fE});',
    ],
    [
      'dirname',
      '{name:"dirname",load:async()=>(await Promise.resolve().then(()=>(rg(),ng))).dirnameCommand},',
      'ae(ng,{dirnameCommand:()=>U5,flagsForFuzzing:()=>z5});',
    ],
    [
      'file',
      '{name:"file",load:async()=>(await Promise.resolve().then(()=>($y(),Ry))).fileCommand},',
      'ae(Ry,{fileCommand:()=>zC,flagsForFuzzing:()=>WC});',
    ],
    [
      'fold',
      '{name:"fold",load:async()=>(await Promise.resolve().then(()=>(A0(),S0))).fold},',
      'ae(S0,{flagsForFuzzing:()=>BE,fold:()=>_E});',
    ],
    [
      'mkdir',
      '{name:"mkdir",load:async()=>(await Promise.resolve().then(()=>(Ih(),Nh))).mkdirCommand},',
      'ae(Nh,{flagsForFuzzing:()=>D8,mkdirCommand:()=>P8});',
    ],
    ['nl', '{name:"nl",load:async()=>(await Promise.resolve().then(()=>(x0(),b0))).nl},', 'ae(b0,{flagsForFuzzing:()=>DE,nl:()=>PE});'],
    [
      'seq',
      '{name:"seq",load:async()=>(await Promise.resolve().then(()=>(b2(),w2))).seqCommand},',
      'ae(w2,{flagsForFuzzing:()=>gA,seqCommand:()=>mA});',
    ],
    ['tac', '{name:"tac",load:async()=>(await Promise.resolve().then(()=>(Uy(),By))).tac},', 'ae(By,{flagsForFuzzing:()=>rv,tac:()=>nv});'],
  ].flatMap(([name = '', command = '', module = '']) => [
    fix(name, 'Ours takes its place (adapters/just-bash/commands/text).', command, ''),
    fix(`the module of ${name}`, 'As above: nothing holds it.', module, ''),
  ]),
]
