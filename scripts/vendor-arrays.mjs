// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is JavaScript.
// Lists that are assigned to arrays (`a=(...)`, `declare -A m=([key]=value)`), and attributes of local variables, in the interpreter of just-bash:
// by the text of its minified build, as in vendor-fixes.mjs. It made a text of the words of a list and read it again, and lost what was quoted.
import { fileURLToPath } from 'node:url'

/** @param {string} text */
const exactly = (text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

/**
 * @param {string} name @param {string} why @param {string} before @param {string} after
 * @returns {(typeof import('./vendor-fixes.mjs').fixes)[number]}
 */
const fix = (name, why, before, after) => ({ name, why, pattern: exactly(before), replacement: after.replaceAll('$', '$$$$') })

export const part = fileURLToPath(new URL('../adapters/just-bash/syntax/array-elements.ts', import.meta.url))

export const head = `import { elementsText as $elementsText, keyedAt as $keyedAt, readElements as $readElements } from ${JSON.stringify(part)}\n`

/** `$list`: the words of a list; one with a subscript has `element`. `$elementsOf`: what they mean. `$fill`: gives them to an array. */
const FUNCTIONS = [
  'function $list(e){let t=[];for(e.skipNewlines();!e.check(v.RPAREN,v.EOF);){e.checkIterationLimit();let k=e.isWord()?$keyedAt(e.getInput(),e.current().start):void 0;',
  'if(k){for(;e.current().start<k.end&&!e.check(v.EOF);)e.advance();t.push({...Y.word([Y.literal("["),...$word(e,k.key).parts,Y.literal(k.append?"]+=":"]="),...$word(e,k.value).parts]),element:{key:$word(e,k.key),value:$word(e,k.value),append:k.append}})}',
  "else e.isWord()?t.push(e.parseWord()):bk.has(e.current().type)?e.error(`syntax error near unexpected token \\`${e.current().value}'`):e.advance();e.skipNewlines()}return t}",
  'function $word(e,t){if(t==="")return Y.word([]);let n=new be(e.parseBudget).parse(": "+t).statements[0].pipelines[0].commands[0].args[0];',
  'return Y.word(n.parts.map(r=>r.type==="BraceExpansion"?Y.literal(Yv(r)):r))}',
  'async function $elementsOf(e,t){let n=[],r=e.limits.maxArrayElements;for(let s of t){if(s.element){let{key:i,value:o,append:a}=s.element;n.push({key:await _e(e,i),value:o.parts.length>0?await _e(e,o):"",append:a})}else for(let i of(await dr(e,s)).values)n.push({value:i});',
  'if(n.length>r)throw new C(`array element limit exceeded (${r})`,"array_elements")}return n}',
  'async function $fill(e,t,n,{append:r=!1,associative:s=!1}={}){e.executionScope.consumeWork(n.length,"array assignment");let i="",o=async a=>qo(e,t)?await M4(e,a):Vi(e,t,a),l=async(a,c)=>await o(a.append?mr([Xe(e,t,c)??"",a.value],"",e.limits.maxStringLength,"array assignment"):a.value);',
  'if(s){r||kt(e,t);if(n.length>0&&n[0].key===void 0)for(let a=0;a<n.length;a+=2)we(e,t,n[a].value,await o(n[a+1]?.value??""),"associative");',
  'else for(let a of n)if(a.key===void 0)i+=`bash: ${t}: ${a.value}: must use subscript when assigning associative array\\n`;else we(e,t,a.key,await l(a,a.key),"associative");return i}',
  'let u=0;if(r){let a=xe(e,t);if(a.length>0)u=Math.max(...a.map(([c])=>typeof c=="number"?c:0))+1;else{let c=e.state.env.get(t);c!==void 0&&(we(e,t,0,c),e.state.env.delete(t),u=1)}}else kt(e,t),e.state.env.delete(t);',
  'for(let a of n){if(a.key!==void 0)try{u=await Te(e,Me(new be,a.key).expression,!1)}catch{i+=`bash: ${t}: ${a.key}: bad array subscript\\n`;continue}we(e,t,u,await l(a,u)),u++}return i}',
  // Attributes of a variable are those of its scope.
  'var $attributes=["integerVars","lowercaseVars","uppercaseVars","readonlyVars"];',
  'function $localAttributes(e,t,n){let r=t.$attributes??=new Map;if(r.has(n))return;r.set(n,$attributes.filter(s=>e.state[s]?.has(n)));for(let s of $attributes)e.state[s]?.delete(n)}',
  'function $globalAttributes(e,t){for(let[n,r]of t?.$attributes??[])for(let s of $attributes)r.includes(s)?e.state[s].add(n):e.state[s]?.delete(n)}',
].join('')

export const arrayFixes = [
  fix(
    'lists',
    'A subscript is all up to its bracket, with spaces and quotes: `m=([two words]=x ["]"]=y)`.',
    "function qf(e){let t=[];for(e.skipNewlines();!e.check(v.RPAREN,v.EOF);)e.checkIterationLimit(),e.isWord()?t.push(e.parseWord()):bk.has(e.current().type)?e.error(`syntax error near unexpected token \\`${e.current().value}'`):e.advance(),e.skipNewlines();return t}",
    `function qf(e){return $list(e)}${FUNCTIONS}`,
  ),
  fix(
    'lists of declare: words',
    '`local a=($(cmd) "${x:-y}" *.txt [k]="it\'s")` has the words as they are.',
    'let p=d.map(m=>Gf(e,m)),h=`${f}=(${p.join(" ")})`;s.push(e.parseWordFromString(h,!1,!1,!0))',
    's.push({...Y.word([Y.literal(`${f}=(`),...d.flatMap((m,i)=>i>0?[Y.literal(" "),...m.parts]:m.parts),Y.literal(")")]),list:{name:f,words:d}})',
  ),
  fix(
    'lists of declare: values',
    'As above.',
    'async function e4(e,t){let n="",r=0;',
    'async function e4(e,t){if(t.list)return`${t.list.name}=(${$elementsText(await $elementsOf(e,t.list.words))})`;let n="",r=0;',
  ),
  fix(
    'lists of declare',
    'As above; and `declare -A m=(key value)`.',
    'let F=s&&U.includes("[")?sc(U,n):void 0,z=F===void 0?Br(U,{...n,maxElements:s?n.maxElements*2:n.maxElements}):void 0;if(e.executionScope.consumeWork(F?.length??z?.length??0,"declare array assignment"),E(P),s?(e.state.associativeArrays??=new Set,e.state.associativeArrays.add(P),Qr(e,P,"associative")):Qr(e,P,"indexed"),kt(e,P),e.state.env.delete(P),s&&U.includes("["))for(let[D,X]of F??[])we(e,P,D,rs(e,X),"associative");else if(s){let D=z??[];for(let X=0;X<D.length;X+=2){let V=D[X],ee=X+1<D.length?D[X+1]:"";we(e,P,V,ee,"associative")}}else{let D=z??[];if(D.some(V=>/^\\[[^\\]]+\\]=/.test(V))){let V=0;for(let ee of D){let ne=ee.match(/^\\[([^\\]]+)\\]=(.*)$/);if(ne){let Ce=ne[1],je=ne[2],Ie;if(/^-?\\d+$/.test(Ce))Ie=Number.parseInt(Ce,10);else try{let ge=new be,Pe=Me(ge,Ce);Ie=await Te(e,Pe.expression)}catch{Ie=0}we(e,P,Ie,rs(e,je)),V=Ie+1}else we(e,P,V,ee),V++}}else for(let V=0;V<D.length;V++)we(e,P,V,D[V])}A(P),',
    'E(P),d&&op(e,P),p&&ap(e,P),h&&lp(e,P);let $A=s||e.state.associativeArrays?.has(P)===!0;s&&(e.state.associativeArrays??=new Set,e.state.associativeArrays.add(P)),Qr(e,P,$A?"associative":"indexed"),kt(e,P),e.state.env.delete(P);let $m=await $fill(e,P,$readElements(U),{associative:$A});$m&&(O+=$m,R=1);A(P),',
  ),
  fix(
    'associative arrays stay so',
    '`declare -A m; declare m=([a]=1)` is one still.',
    'if((r||!s&&!r)&&e.state.associativeArrays?.has(P)){',
    'if(r&&e.state.associativeArrays?.has(P)){',
  ),
  fix(
    'lists that declare adds',
    'As above.',
    'let F=Br(U,n);if(e.state.associativeArrays?.has(P)){let z=sc(U,n);e.executionScope.consumeWork(z.length,"declare array append"),Us(e,P,z.map(([D])=>D));for(let[D,X]of z)we(e,P,D,X,"associative")}else{e.executionScope.consumeWork(F.length,"declare array append");let z=Lt(e,P),D=0,X=e.state.env.get(P);z.length===0&&X!==void 0?(we(e,P,0,X),e.state.env.delete(P),D=1):z.length>0&&(D=Math.max(...z)+1),Us(e,P,Array.from({length:F.length},(V,ee)=>D+ee));for(let V=0;V<F.length;V++)we(e,P,D+V,F[V])}A(P),',
    's&&(e.state.associativeArrays??=new Set,e.state.associativeArrays.add(P),Qr(e,P,"associative"));let $m=await $fill(e,P,$readElements(U),{append:!0,associative:e.state.associativeArrays?.has(P)===!0});$m&&(O+=$m,R=1);A(P),',
  ),
  fix(
    'lists of local',
    'As above.',
    'let S=Br(x,n);e.executionScope.consumeWork(S.length,"local array assignment"),i(p),kt(e,p),Qr(e,p,"indexed");for(let E=0;E<S.length;E++)we(e,p,E,S[E]);as(e,p)',
    'i(p),e.state.associativeArrays?.has(p)||Qr(e,p,"indexed");let $m=await $fill(e,p,$readElements(x),{associative:e.state.associativeArrays?.has(p)===!0});$m&&(o+=$m,a=1);as(e,p)',
  ),
  fix(
    'lists that local adds',
    'As above.',
    'let S=Br(x,n);e.executionScope.consumeWork(S.length,"local array append");let E=Lt(e,p),A=0,O=e.state.env.get(p);E.length===0&&O!==void 0?(we(e,p,0,O),e.state.env.delete(p),A=1):E.length>0&&(A=Math.max(...E)+1),Us(e,p,Array.from({length:S.length},(R,N)=>A+N));for(let R=0;R<S.length;R++)we(e,p,A+R,S[R]);as(e,p)',
    'let $m=await $fill(e,p,$readElements(x),{append:!0,associative:e.state.associativeArrays?.has(p)===!0});$m&&(o+=$m,a=1);as(e,p)',
  ),
  fix(
    'lists of readonly',
    'As those of `declare -gr`.',
    'async function up(e,t){',
    'async function up(e,t){if(!t.includes("-p")&&t.some(n=>/^-[a-z]*[aA]/.test(n)||/^[a-zA-Z_]\\w*\\+?=\\(/.test(n)))return cp(e,["-g","-r",...t]);',
  ),
  fix(
    'lists without declare',
    'As those of `declare`; a word without a subscript among others fails.',
    'a&&d?await oO(e,t,n,r,s,p,h=>{o+=h}):d?await aO(e,n,r,s,p):await lO(e,n,r,s,p)}',
    'let $l=await $elementsOf(e,r);s||p();let $m=await $fill(e,n,$l,{append:s,associative:a===!0});if($m)return{continueToNext:!1,xtraceOutput:"",error:Q("",$m,1)}}',
  ),
  fix(
    'local with attributes',
    '`local -A -i -r -l -u -x` were ignored.',
    'async function xp(e,t){',
    'async function xp(e,t){if(e.state.localScopes.length>0&&t.some((n,r)=>/^-[a-zA-Z]*[Airlux]/.test(n)&&t.slice(0,r).every(s=>s.startsWith("-"))))return cp(e,t.filter(n=>n!=="-g"));',
  ),
  fix(
    'attributes of local variables',
    'They end with the function.',
    'if(!x)return;let I=e.state.localScopes[e.state.localScopes.length-1];I.has(N)||I.set(N,e.state.env.get(N))},',
    'if(!x)return;let I=e.state.localScopes[e.state.localScopes.length-1];$localAttributes(e,I,N),I.has(N)||I.set(N,e.state.env.get(N))},',
  ),
  fix(
    'attributes of local arrays',
    'As above.',
    'if(!x)return;let I=e.state.localScopes[e.state.localScopes.length-1];for(I.has(N)||',
    'if(!x)return;let I=e.state.localScopes[e.state.localScopes.length-1];$localAttributes(e,I,N);for(I.has(N)||',
  ),
  fix(
    'attributes after a function',
    'As above.',
    'h=e.state.localScopes.pop(),m=e.state.localArrayScopes?.pop();',
    'h=e.state.localScopes.pop(),m=e.state.localArrayScopes?.pop();$globalAttributes(e,h);',
  ),
]
