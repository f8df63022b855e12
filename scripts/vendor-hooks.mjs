// Where the interpreter of just-bash asks its filesystem, by the text of its minified build. The methods are those of `InterpreterHooks`
// (adapters/just-bash/hooks.ts); all of them are optional, and without them it does what it did.

/** @param {string} text */
const exactly = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

/**
 * @param {string} name @param {string} why @param {string} before @param {string} after
 * @returns {(typeof import('./vendor-fixes.mjs').fixes)[number]}
 */
const hook = (name, why, before, after) => ({ name, why, pattern: exactly(before), replacement: after.replaceAll('$', '$$$$') })

export const hooks = [
  hook(
    'script',
    'Scripts begin with the state of an earlier one, and end with their EXIT trap.',
    'R=await new Yo(E,m).executeScript(x);return S&&',
    '$i=new Yo(E,m),R=await(this.fs.script?this.fs.script({bash:this,interpreter:$i,context:$i.ctx,ast:x,source:t,depth:s,Exit:he}):$i.executeScript(x));return S&&',
  ),
  hook(
    'command',
    'It gives way to nobody, a redirection that the filesystem refuses ends the whole script, and all output is kept until the end.',
    'let s=jw(this.ctx),i;try{i=await this.executeCommandInner(t,n,r)}catch(a){throw await Ad(this.ctx,s).catch(()=>{}),a}let o=await Ad(this.ctx,s);return!o.stdout&&!o.stderr?i:{...i,stdout:o.stdout?zr(i)+o.stdout:i.stdout,stdoutKind:o.stdout?"bytes":i.stdoutKind,stderr:i.stderr+o.stderr}}',
    'let $f=this.ctx.fs,$w=$f.beforeCommand?.(this.ctx);if($w)await $w;let s=jw(this.ctx),i;try{i=await this.executeCommandInner(t,n,r)}catch(a){let $t=$f.afterFailure?.(a);if(!$t)throw await Ad(this.ctx,s).catch(()=>{}),a;i=$t}let o=await Ad(this.ctx,s);if(o.stdout||o.stderr)i={...i,stdout:o.stdout?zr(i)+o.stdout:i.stdout,stdoutKind:o.stdout?"bytes":i.stdoutKind,stderr:i.stderr+o.stderr};return(i.stdout||i.stderr)&&$f.print?$f.print(this.ctx,i):i}',
  ),
  hook(
    'background',
    'What `&` ends runs in the foreground, and its status is forgotten.',
    'if(this.ctx.state.options.noexec)return Fe;this.ctx.state.errexitSafe=!1;',
    'if(this.ctx.state.options.noexec)return Fe;if(t.background&&this.ctx.fs.background)return this.ctx.fs.background(this,t);this.ctx.state.errexitSafe=!1;',
  ),
  hook(
    'statement',
    'What `time` and `set -v` print, and the ERR trap.',
    'let l=new Yt(r);throw l.prependOutput(n.stdout,n.stderr),l}return n.build(r)}async executePipeline',
    'if(this.ctx.fs.onError)await this.ctx.fs.onError(this.ctx,r,t);let l=new Yt(r);throw l.prependOutput(n.stdout,n.stderr),l}if(this.ctx.fs.onError&&r!==0&&s===t.pipelines.length-1&&!i&&!this.ctx.state.inCondition&&!a)await this.ctx.fs.onError(this.ctx,r,t);let $r=n.build(r);return($r.stdout||$r.stderr)&&this.ctx.fs.print?this.ctx.fs.print(this.ctx,$r):$r}async executePipeline',
  ),
  hook(
    'stage',
    'A part of a pipe is a subshell of its own.',
    'e.state.commandCount=e.executionScope.chargeCommand(),R=await n(y,s)}catch(I)',
    'e.state.commandCount=e.executionScope.chargeCommand(),R=await(u&&e.fs.stage?e.fs.stage(e,{last:x,merged:t.pipeStderr?.[w]??!1,own:E},()=>n(y,s)):n(y,s))}catch(I)',
  ),
  ...[
    ['command substitution', '{let p=await e.executeScript(t.body),h=p.exitCode;', 't.body', '{let p=await ', ',h=p.exitCode;'],
    ['process substitution', 'let h;try{h=await e.executeScript(t)}catch(m)', 't', 'let h;try{h=await ', '}catch(m)'],
    [
      'substitution in arithmetic',
      'try{let c=await e.executeScript(r),u=c.exitCode;return e.state.env=',
      'r',
      'try{let c=await ',
      ',u=c.exitCode;return e.state.env=',
    ],
  ].map(([name = '', before = '', script = '', head = '', tail = '']) =>
    hook(
      name,
      'Its output is its value, and it is a subshell.',
      before,
      `${head}(e.fs.substitute?e.fs.substitute(e,()=>e.executeScript(${script})):e.executeScript(${script}))${tail}`,
    ),
  ),
  hook(
    'subshell',
    'It has traps of its own.',
    'l=>kO(e,t,l.stdin??n,r,s||l.stdin!==void 0)',
    'l=>e.fs.subshell?e.fs.subshell(e,()=>kO(e,t,l.stdin??n,r,s||l.stdin!==void 0)):kO(e,t,l.stdin??n,r,s||l.stdin!==void 0)',
  ),
  hook(
    'redirected command',
    'What it prints goes elsewhere when it has ended.',
    'let l=await r(i);return await fs(e,l,t,',
    'let l=await(t.length>0&&e.fs.redirected?e.fs.redirected(e,t,()=>r(i),($c,$t,$r)=>fs($c,$r,$t,i.targets,i.dupSources,i.standardRoutes)):r(i));return await fs(e,l,t,',
  ),
  hook(
    'redirected function',
    'What it prints goes elsewhere when it has ended.',
    'm=await e.executeCommand(t.body,p,h);return fs(',
    'm=await(t.redirections.length>0&&e.fs.redirected?e.fs.redirected(e,t.redirections,()=>e.executeCommand(t.body,p,h),($c,$t,$r)=>fs($c,$r,$t,f.targets,f.dupSources,f.standardRoutes)):e.executeCommand(t.body,p,h));return fs(',
  ),
  hook(
    'redirected simple command',
    'What it prints goes elsewhere when it has ended.',
    'S=await this.runCommand(u,f,d,n,!1,!1,w,y)}catch(N)',
    'S=await(t.redirections.length>0&&this.ctx.fs.redirected?this.ctx.fs.redirected(this.ctx,t.redirections,()=>this.runCommand(u,f,d,n,!1,!1,w,y),($c,$t,$r)=>fs($c,$r,$t,b.targets,b.dupSources,b.standardRoutes)):this.runCommand(u,f,d,n,!1,!1,w,y))}catch(N)',
  ),
  hook(
    'builtin',
    'There are no jobs and no traps, and `read` waits for nothing.',
    'async function u3(e,t,n,r,s,i,o,a,l=!1){let{ctx:c,runCommand:u}=e;',
    'async function u3(e,t,n,r,s,i,o,a,l=!1){return e.ctx.fs.builtins?.has(t)?e.ctx.fs.builtin(e.ctx,{name:t,args:n,stdin:s,owned:l,plain:i,run:($s)=>u3$(e,t,n,r,$s,i,o,a,l)}):u3$(e,t,n,r,s,i,o,a,l)}async function u3$(e,t,n,r,s,i,o,a,l=!1){let{ctx:c,runCommand:u}=e;',
  ),
  hook(
    'program',
    'Each command that looks at the input of the script is given all of it, at once.',
    ':{...await f3(c,t,n,s,o),internalProducerCommand:t}',
    ':{...await(this.ctx.fs.program?this.ctx.fs.program(this.ctx,{name:t,args:n,stdin:s,owned:l,run:($s)=>f3(c,t,n,$s,o)}):f3(c,t,n,s,o)),internalProducerCommand:t}',
  ),
  hook('input', 'As above.', 'get stdin(){return p=!0,d}', 'get stdin(){return p=!0,i.fs.input?i.fs.input(i,d):d}'),
  hook(
    'command in a variable',
    'The words of its value are the command and its arguments; it took them for one name.',
    'let u=await _e(this.ctx,t.name),f=[],d=[],p=',
    'let $n=t.name.parts.some(N=>/^(?:CommandSubstitution|ParameterExpansion|ArithmeticExpansion|DoubleQuoted|BraceExpansion)$/.test(N.type))&&t.name.parts.every(N=>N.type!=="Glob")?await dr(this.ctx,t.name):void 0,u=$n?$n.values[0]??"":await _e(this.ctx,t.name),f=[],d=[],p=',
  ),
  hook(
    'arguments in a variable',
    'As above.',
    '"array_elements");f.push(N),d.push(I)};if(Fp(t.name,["local","declare","typeset","export","readonly"])&&(u===',
    '"array_elements");f.push(N),d.push(I)};if($n)for(let N of $n.values.slice(1))p(N,$n.quoted);if(Fp(t.name,["local","declare","typeset","export","readonly"])&&(u===',
  ),
  hook('input again', '`<&0` is the input there is, and not an empty one.', '}else c=n,u=-1;A.move', '}else c=n||void 0,u=-1;A.move'),
  hook(
    'elements of an associative array',
    'The value of `declare -A m=([key]="two words")` is both of them.',
    '/^\\[.+\\]=/.test(E)?A=E:E===""',
    '/^\\[.+\\]=/.test(E)?A=E.replace(/^(\\[[^\\]]+\\]=)([^]*[\\s"\'\\\\$`()][^]*)$/,(N,I,T)=>{let $q=T.includes("\'")&&!T.includes(\'"\')?\'"\':"\'";return I+$q+($q==="\'"?T.replace(/\'/g,"\'\\\\\'\'"):T)+$q}):E===""',
  ),
  hook(
    'copies of streams',
    '`{ echo a >&3; } 3>&1 >file` prints: the copy is of what the stream was.',
    'else if(N.sourceFd<Ot)Kn(e,A,I.entry)',
    'else if(N.sourceFd<Ot)Kn(e,A,e.fs.duplicate?e.fs.duplicate(e,I.entry):I.entry)',
  ),
  hook(
    'copies of streams in variables',
    'As above, in `exec {fd}>&1`.',
    ':T.sourceFd<Ot&&(N=W.entry)',
    ':T.sourceFd<Ot&&(N=e.fs.duplicate?e.fs.duplicate(e,W.entry):W.entry)',
  ),
  hook(
    'streams of copies',
    '`exec 1>&3` makes it what it was.',
    'a.set(x,Rn(e,x)),e.state.closedStandardFds?.delete(x)',
    'let $o=e.fs.original?.(e,x,Rn(e,x));$o&&Kn(e,x,$o);a.set(x,Rn(e,x)),e.state.closedStandardFds?.delete(x)',
  ),
  hook(
    'characters of read',
    'What `read` takes are bytes, and its value is a text; `-n` and `-N` count characters.',
    'let x=i===""?"\\0":i,S="",E=0,A=F=>{',
    'let x=i===""?"\\0":i,S="",E=0,$b=b;(l>=0||a>=0)&&(b=ue(b));let A=F=>{',
  ),
  hook('bytes that read took', 'As above.', 'R=0,N=!0,I=F=>{y?', 'R=0,N=!0,I=F=>{b!==$b&&(F=Dn(b.substring(0,F)).length,b=$b);y?'),
  hook(
    'lines of read',
    'As above.',
    'x===`\n`&&S.endsWith(`\n`)&&(S=S.slice(0,-1));let T=F=>',
    'l<0&&a<0&&(S=ue(S));x===`\n`&&S.endsWith(`\n`)&&(S=S.slice(0,-1));let T=F=>',
  ),
  hook(
    'lines of mapfile',
    'As above.',
    '"string_length");f.push(w)};for(;d<u.length;){e.executionScope.consumeWork(1,"mapfile input")',
    '"string_length");f.push(ue(w))};for(;d<u.length;){e.executionScope.consumeWork(1,"mapfile input")',
  ),
  hook(
    'bytes of echo',
    'The bytes that `echo -e` writes as `\\303` and `\\xc3` are no characters of these numbers.',
    'if(r){let o=X3(i);if(i=o.output,o.stop)return{stdout:i,stderr:"",exitCode:0,internalStdinConsumed:0}}return n||(i+=`\n`),',
    'if(r){let o=X3(i);i=o.output;if(!o.stop&&!n)i+=`\n`;if(/[\\udc80-\\udcff]/u.test(i))return{stdout:i.split(/([\\udc80-\\udcff])/u).map((s,j)=>j%2?String.fromCharCode(s.charCodeAt(0)-0xdc00):Dn(s)).join(""),stdoutKind:"bytes",stderr:"",exitCode:0,internalStdinConsumed:0};if(o.stop||!n)return{stdout:i,stderr:"",exitCode:0,internalStdinConsumed:0}}return n||(i+=`\n`),',
  ),
  hook(
    'octal bytes of echo',
    'As above.',
    'let o=parseInt(s,8)%256;t+=String.fromCharCode(o)',
    'let o=parseInt(s,8)%256;t+=String.fromCharCode(o>127?o+0xdc00:o)',
  ),
  hook(
    'hexadecimal bytes of echo',
    'As above.',
    'let o=parseInt(s,16);t+=String.fromCharCode(o),n=i',
    'let o=parseInt(s,16);t+=String.fromCharCode(o>127?o+0xdc00:o),n=i',
  ),
  hook(
    'last job',
    'No job is no number.',
    'return String(e.state.lastBackgroundPid)',
    'return e.state.lastBackgroundPid?String(e.state.lastBackgroundPid):""',
  ),
]
