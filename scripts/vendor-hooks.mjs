// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash, and JavaScript.
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
    'async function u3(e,t,n,r,s,i,o,a,l=!1){return e.ctx.fs.builtins?.has(t)?e.ctx.fs.builtin(e.ctx,{name:t,args:n,stdin:s,owned:l,plain:i,run:($s,$n=n)=>u3$(e,t,$n,r,$s,i,o,a,l)}):u3$(e,t,n,r,s,i,o,a,l)}async function u3$(e,t,n,r,s,i,o,a,l=!1){let{ctx:c,runCommand:u}=e;',
  ),
  hook(
    'program',
    'Each command that looks at the input of the script is given all of it, at once.',
    ':{...await f3(c,t,n,s,o),internalProducerCommand:t}',
    ':{...await(this.ctx.fs.program?this.ctx.fs.program(this.ctx,{name:t,args:n,stdin:s,owned:l,run:($s,$t=t,$n=n)=>f3(c,$t,$n,$s,o)}):f3(c,t,n,s,o)),internalProducerCommand:t}',
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
    'The bytes that `echo -e` writes as `\\0303` and `\\xc3` are no characters of these numbers.',
    'if(r){let o=X3(i);if(i=o.output,o.stop)return{stdout:i,stderr:"",exitCode:0,internalStdinConsumed:0}}return n||(i+=`\n`),',
    'if(r){let o=X3(i);if(i=$joined(o.output),o.stop)return{stdout:i,stderr:"",exitCode:0,internalStdinConsumed:0}}return n||(i+=`\n`),',
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
  hook(
    'turns of expansions',
    'An expansion of a million words gives way, and ends with its script: from then on no work is left.',
    'var Hw=1e5;async function Kw(e,t,n={count:0}){let r=()=>{n.count++,e.executionScope.consumeLimited("brace_operations",1,Math.min(Hw,e.limits.maxBraceExpansionResults),"brace expansion")},',
    'function $pause(e,t){let n=e.fs.pause?.(t);return n&&n.then(()=>e.executionScope.consumeWork(1,"expansion"))}async function $range(e,t,n){let r=Math.abs(t.step||1)*8192;if(typeof t.start!="number"||typeof t.end!="number"||Math.abs(t.end-t.start)<=r)return gd(t.start,t.end,t.step,t.startStr,t.endStr,n);let s=[],i=t.start<=t.end?1:-1,o=r/8192*8191;for(let a=t.start;i*(t.end-a)>=0;a+=i*r){let l=i*(t.end-a)>o?a+i*o:t.end,c=gd(a,l,t.step,t.startStr,t.endStr,n);for(let f of c.expanded)s.push(f);if(s.length>n.maxResults)throw new C(`brace expansion limit exceeded (${n.maxResults} words)`,"brace_expansion");let u=$pause(e,2e3);u&&await u}return{expanded:s}}var Hw=1/0;async function Kw(e,t,n={count:0}){let r=()=>{if(++n.count>4*e.limits.maxBraceExpansionResults)throw new C(`brace expansion limit exceeded (${e.limits.maxBraceExpansionResults} words)`,"brace_expansion");n.count%4096==0&&e.executionScope.consumeWork(4096,"brace expansion")},',
  ),
  hook(
    'turns of brace ranges',
    'As above.',
    'let p=gd(d.start,d.end,d.step,d.startStr,d.endStr,{maxResults:e.limits.maxBraceExpansionResults,maxStringBytes:e.limits.maxStringLength});if(p.expanded)',
    'let p=await $range(e,d,{maxResults:e.limits.maxBraceExpansionResults,maxStringBytes:e.limits.maxStringLength});if(p.expanded)',
  ),
  hook(
    'turns of brace lists',
    'As above. Texts that follow each other are one.',
    'r(),f.push([...d,p])}i=f}',
    'r();let $l=d.length-1;f.push(typeof d[$l]=="string"?$l===0?[d[0]+p]:[...d.slice(0,-1),d[$l]+p]:[...d,p]);if((f.length&2047)===0){let $p=$pause(e,1e3);$p&&await $p}}i=f}',
  ),
  hook(
    'turns of brace words',
    'As above.',
    'typeof a=="string"?o.push(a):o.push(await Tn(e,a));s.push(bd(e,o.join("")))}',
    'typeof a=="string"?o.push(a):o.push(await Tn(e,a));s.push(bd(e,o.join("")));if((s.length&2047)===0){let $p=$pause(e,1e3);$p&&await $p}}',
  ),
  hook(
    'turns of brace globs',
    'As above.',
    'async function kN(e,t,n){let r=[];for(let s of t)if(',
    'async function kN(e,t,n){let r=[],$n=0;for(let s of t)if((++$n&4095)===0&&await $pause(e,1e3),',
  ),
  hook(
    'turns of split words',
    'The output of `$(seq 1000000)` is split in pieces, between words.',
    'function ot(e,t,n){return $l(e,t,n).words}',
    'async function $split(e,t,n,r){if(t.length<2e5||n==="")return $l(t,n,r);let s,i=[];for(let o=0;;){let a=-1;for(let l=o+65536;l<t.length-1;l++)if(n.includes(t[l])&&!n.includes(t[l-1])&&!n.includes(t[l+1])){a=l;break}let c=$l(t.slice(o,a<0?t.length:a),n,r);s??=c,c.words.length>0&&Gs(i.length+c.words.length-1,r);for(let l of c.words)i.push(l);if(a<0)return{words:i,hadLeadingDelimiter:s.hadLeadingDelimiter,hadTrailingDelimiter:c.hadTrailingDelimiter};o=a+1,await $pause(e,2e3)}}function ot(e,t,n){return $l(e,t,n).words}',
  ),
  hook(
    'turns of split parts',
    'As above.',
    '{words:p,hadLeadingDelimiter:h,hadTrailingDelimiter:m}=$l(d.value,n,e.limits.maxArrayElements)',
    '{words:p,hadLeadingDelimiter:h,hadTrailingDelimiter:m}=await $split(e,d.value,n,e.limits.maxArrayElements)',
  ),
  hook(
    'turns of split globs',
    'As above.',
    'let n=[];for(let r of t)if(vr(r,e.state.shoptOptions.extglob)){let s=await zl(e,r);Kt(n,s,e.limits.maxArrayElements,"glob expansion")}',
    'let n=[],$n=0;for(let r of t)if((++$n&4095)===0&&await $pause(e,1e3),vr(r,e.state.shoptOptions.extglob)){let s=await zl(e,r);Kt(n,s,e.limits.maxArrayElements,"glob expansion")}',
  ),
  hook(
    'turns of replacements',
    '`${text//a/b}` gives way between matches; what has no repeat is left to the native engine, which takes a fiftieth of the time.',
    'function Fl(e,t,n,r,s){let i=new Oe(e.limits.maxStringLength,"pattern replacement",()=>new C(`pattern replacement: string length limit exceeded (${e.limits.maxStringLength} bytes)`,"string_length"));n.lastIndex=0;',
    'async function Fl(e,t,n,r,s){let i=new Oe(e.limits.maxStringLength,"pattern replacement",()=>new C(`pattern replacement: string length limit exceeded (${e.limits.maxStringLength} bytes)`,"string_length")),$n=0;if(s&&/^(?:[^\\\\^$*+?(){}|[\\]]|\\\\[^\\w\\s])+$/.test(n._pattern))try{n=new RegExp(n._pattern,"gsu")}catch{}n.lastIndex=0;',
  ),
  hook(
    'turns of matches',
    'As above.',
    'a[0].length===0&&(o++,n.lastIndex<=a.index&&(n.lastIndex=a.index+1)),a=n.exec(t);return i.append(t.slice(o))',
    '{a[0].length===0&&(o++,n.lastIndex<=a.index&&(n.lastIndex=a.index+1));if((++$n&255)===0){let $p=$pause(e,200);$p&&await $p}a=n.exec(t)}return i.append(t.slice(o))',
  ),
  hook('turns of a replacement', 'As above.', 'return Fl(e,t,c,a,n.all)}catch(c)', 'return await Fl(e,t,c,a,n.all)}catch(c)'),
  hook('turns of replacements in an array', 'As above.', 'kr(e,h,Fl(e,S,x,d,l.all),m)', 'kr(e,h,await Fl(e,S,x,d,l.all),m)'),
  hook(
    'turns of set',
    'A million arguments are set in pieces.',
    'function vp(e,t){let n=1;for(;e.state.env.has(String(n));)e.state.env.delete(String(n)),n++;for(let r=0;r<t.length;r++)e.state.env.set(String(r+1),t[r]);',
    'async function vp(e,t){let n=1;for(;e.state.env.has(String(n));){e.state.env.delete(String(n)),n++;if((n&4095)===0)await $pause(e,1e3)}for(let r=0;r<t.length;r++){e.state.env.set(String(r+1),t[r]);if((r&4095)===4095)await $pause(e,1e3)}',
  ),
  hook('turns of set --', 'As above.', 'if(i==="--")return vp(e,t.slice(s+1)),r();', 'if(i==="--")return vp(e,t.slice(s+1)).then(r);'),
  hook(
    'turns of set -',
    'As above.',
    'Ri(e),s+1<t.length)return vp(e,t.slice(s+1)),r();s++;continue}',
    'Ri(e),s+1<t.length)return vp(e,t.slice(s+1)).then(r);s++;continue}',
  ),
  hook('turns of set words', 'As above.', 'return vp(e,t.slice(s)),r()}return r()}', 'return vp(e,t.slice(s)).then(r)}return r()}'),
  hook('turns of md5sum', 'Megabytes are summed in pieces.', 'function EA(e){function t(p,h)', 'async function EA(e,$c){function t(p,h)'),
  hook(
    'turns of md5sum: blocks',
    'As above.',
    'for(let p=0;p<o.length;p+=64){let h=new Uint32Array(16);',
    'for(let p=0;p<o.length;p+=64){if((p&262143)===262080){await $c?.fs.pause?.(6e3);$c?.executionScope?.consumeWork(1,"md5sum")}let h=new Uint32Array(16);',
  ),
  hook(
    'turns of md5sum: context',
    'As above.',
    'async function S2(e,t){if(e==="md5")return EA(t);',
    'async function S2(e,t,$c){if(e==="md5")return EA(t,$c);',
  ),
  hook('turns of md5sum: sums', 'As above.', 'await S2(t,d)}  ${f}', 'await S2(t,d,i)}  ${f}'),
  hook('turns of md5sum: checks', 'As above.', 'await S2(t,y)===b.toLowerCase()', 'await S2(t,y,i)===b.toLowerCase()'),
  hook(
    'input of sums',
    'Made with a list of all characters, the bytes of 10 MB take a second.',
    'if(f==="-")return Uint8Array.from(i.stdin,d=>d.charCodeAt(0));',
    'if(f==="-"){let $t=i.stdin,$b=new Uint8Array($t.length);for(let d=0;d<$t.length;d++)$b[d]=$t.charCodeAt(d);return $b}',
  ),
  hook(
    'turns of seq',
    'A million numbers are counted in pieces.',
    'if(a>0)for(let y=o;y<=l+1e-10;y+=a)b(f>0?y.toFixed(f):String(Math.round(y)));else for(let y=o;y>=l-1e-10;y+=a)b(f>0?y.toFixed(f):String(Math.round(y)));',
    'if(a>0)for(let y=o;y<=l+1e-10;y+=a){b(f>0?y.toFixed(f):String(Math.round(y)));if((g&4095)===0)await $pause(t,1e3)}else for(let y=o;y>=l-1e-10;y+=a){b(f>0?y.toFixed(f):String(Math.round(y)));if((g&4095)===0)await $pause(t,1e3)}',
  ),
]
