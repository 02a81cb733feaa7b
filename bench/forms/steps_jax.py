# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""steps_jax.py FOLDER: training steps as JAX writes them, one model in many forms: the loss first, last, missing, twice, behind
metrics; optimizers with norms and conditions; microbatches; loops over time, layers and steps. Needs jax and optax."""
import functools
import pathlib
import sys

import jax
import jax.numpy as jnp
import optax

FOLDER = pathlib.Path(sys.argv[1])


def dump(name, f, *args, donate=()):
    (FOLDER / f"{name}.mlir").write_text(jax.jit(f, donate_argnums=donate).lower(*args).as_text())


k = jax.random.PRNGKey(0)
def mlp_params(sizes):
    return [(jnp.zeros((a,b)), jnp.zeros((b,))) for a,b in zip(sizes[:-1], sizes[1:])]
def mlp(p, x):
    for w,b in p[:-1]:
        h = x@w+b
        x = jax.nn.gelu(h)
    w,b = p[-1]
    return x@w+b
P = mlp_params([256]+[256]*8+[10])
X = jnp.zeros((1024,256)); Y = jnp.zeros((1024,), jnp.int32)
def loss_fn(p,x,y):
    l = mlp(p,x)
    return optax.softmax_cross_entropy_with_integer_labels(l,y).mean()
def sgd(p,g): return jax.tree.map(lambda a,b:a-0.1*b,p,g)
def first(p,x,y):
    l,g=jax.value_and_grad(loss_fn)(p,x,y); return l, sgd(p,g)
def last(p,x,y):
    g=jax.grad(loss_fn)(p,x,y); np_=sgd(p,g); return np_, loss_fn(p,x,y)
def missing(p,x,y): return sgd(p, jax.grad(loss_fn)(p,x,y))
def twice(p,x,y):
    l,g=jax.value_and_grad(loss_fn)(p,x,y); return l, sgd(p,g), l
def aux_loss(p,x,y):
    l = mlp(p,x); L = optax.softmax_cross_entropy_with_integer_labels(l,y).mean()
    acc=(l.argmax(-1)==y).mean()
    return L,(acc,L*2)
def aux(p,x,y):
    g,(acc,l2)=jax.grad(aux_loss,has_aux=True)(p,x,y); return sgd(p,g),acc,l2
def metrics(p,x,y):
    (L,(acc,l2)),g=jax.value_and_grad(aux_loss,has_aux=True)(p,x,y)
    gn=optax.global_norm(g)
    return acc,gn,sgd(p,g),L,l2
def newloss(p,x,y): # metric with the new parameters, after the update
    L,g=jax.value_and_grad(loss_fn)(p,x,y); q=sgd(p,g); return q, L, loss_fn(q,x,y)
for f in (first,last,missing,twice,aux,metrics,newloss): dump("mlp_"+f.__name__, f, P,X,Y, donate=(0,))
opt=optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))
O=opt.init(P)
def adam(p,o,x,y):
    L,g=jax.value_and_grad(loss_fn)(p,x,y); u,o=opt.update(g,o,p); return optax.apply_updates(p,u),o,L
dump("mlp_adamclip",adam,P,O,X,Y,donate=(0,1))
for nm,op in dict(lamb=optax.lamb(1e-3),fromage=optax.fromage(1e-3),adafactor=optax.adafactor(1e-3),lion=optax.lion(1e-3),apply_if_finite=optax.apply_if_finite(optax.adam(1e-3),5),multisteps=optax.MultiSteps(optax.adam(1e-3),4)).items():
    o=op.init(P)
    def st(p,o,x,y,op=op):
        L,g=jax.value_and_grad(loss_fn)(p,x,y); u,o=op.update(g,o,p); return optax.apply_updates(p,u),o,L
    dump("mlp_"+nm,st,P,o,X,Y,donate=(0,1))
def micro(p,x,y):
    G=None;T=0.
    for i in range(4):
        L,g=jax.value_and_grad(loss_fn)(p,x[i],y[i]); G=g if G is None else jax.tree.map(jnp.add,G,g); T=T+L
    return sgd(p,G),T
X4=jnp.zeros((4,1024,256));Y4=jnp.zeros((4,1024),jnp.int32)
dump("mlp_micro4",micro,P,X4,Y4,donate=(0,))
def micro_scan(p,x,y):
    def body(c,b):
        G,T=c; L,g=jax.value_and_grad(loss_fn)(p,*b); return (jax.tree.map(jnp.add,G,g),T+L),None
    (G,T),_=jax.lax.scan(body,(jax.tree.map(jnp.zeros_like,p),0.),(x,y)); return sgd(p,G),T
dump("mlp_microscan",micro_scan,P,X4,Y4,donate=(0,))
def steps_scan(p,x,y):
    def body(p,b):
        L,g=jax.value_and_grad(loss_fn)(p,*b); return sgd(p,g),L
    return jax.lax.scan(body,p,(x,y))
dump("mlp_stepscan",steps_scan,P,X4,Y4,donate=(0,))
def steps_on_one(p,x,y): # four steps on one batch, written out and as a loop
    for _ in range(4): l,g=jax.value_and_grad(loss_fn)(p,x,y); p=sgd(p,g)
    return p,l
dump("mlp_onebatch4",steps_on_one,P,X,Y,donate=(0,))
def steps_on_one_scan(p,x,y):
    def body(p,_): l,g=jax.value_and_grad(loss_fn)(p,x,y); return sgd(p,g),l
    p,l=jax.lax.scan(body,p,length=4); return p,l[-1]
dump("mlp_onebatchscan",steps_on_one_scan,P,X,Y,donate=(0,))
# microbatches in a loop inside a loop over steps; until the loss is small; in one branch of two
X24=jnp.zeros((2,4,1024,256));Y24=jnp.zeros((2,4,1024),jnp.int32)
def micro_steps_scan(p,x,y): return jax.lax.scan(lambda p,b: micro_scan(p,*b),p,(x,y))
dump("mlp_microstepscan",micro_steps_scan,P,X24,Y24,donate=(0,))
def until(p,x,y,least):
    def body(c): l,g=jax.value_and_grad(loss_fn)(c[0],x,y); return sgd(c[0],g),l,c[2]+1
    return jax.lax.while_loop(lambda c:(c[1]>least)&(c[2]<9),body,(p,jnp.float32(1e9),0))
dump("mlp_until",until,P,X,Y,jnp.float32(0.1),donate=(0,))
def branch(p,x,y,skip): return jax.lax.cond(skip>0,lambda p:(jnp.float32(0),p),lambda p:first(p,x,y),p)
dump("mlp_branch",branch,P,X,Y,jnp.int32(0),donate=(0,))
# layers scan
PL=(jnp.zeros((8,256,256)),jnp.zeros((8,256)))
def lloss(p,x,y):
    def body(h,wb): return jax.nn.gelu(h@wb[0]+wb[1]),None
    h,_=jax.lax.scan(body,x,p); return ((h-y)**2).mean()
def lstep(p,x,y):
    L,g=jax.value_and_grad(lloss)(p,x,y); return sgd(p,g),L
dump("layers_scan",lstep,PL,X,X,donate=(0,))
# conv net
def conv(x,w,s=1): return jax.lax.conv_general_dilated(x,w,(s,s),'SAME',dimension_numbers=('NHWC','HWIO','NHWC'))
CP=[jnp.zeros((3,3,a,b)) for a,b in [(3,32),(32,32),(32,64),(64,64),(64,128)]]+[jnp.zeros((128,10))]
def cnn(p,x):
    for i,w in enumerate(p[:-1]):
        x=conv(x,w,2 if i in(2,4) else 1); m=x.mean((0,1,2)); v=x.var((0,1,2)); x=(x-m)*jax.lax.rsqrt(v+1e-5); x=jax.nn.silu(x)
    return x.mean((1,2))@p[-1]
CX=jnp.zeros((32,32,32,3));CY=jnp.zeros((32,),jnp.int32)
def closs(p,x,y): return optax.softmax_cross_entropy_with_integer_labels(cnn(p,x),y).mean()
def cstep(p,x,y):
    g=jax.grad(closs)(p,x,y); return sgd(p,g),closs(p,x,y)
dump("cnn_last",cstep,CP,CX,CY,donate=(0,))
# transformer
D=128;H=4
def tparams(L=4,V=1000):
    return dict(e=jnp.zeros((V,D)),l=[dict(q=jnp.zeros((D,3*D)),o=jnp.zeros((D,D)),a=jnp.zeros((D,4*D)),b=jnp.zeros((4*D,D)),g=jnp.ones(D)) for _ in range(L)])
def ln(x): return (x-x.mean(-1,keepdims=True))*jax.lax.rsqrt(x.var(-1,keepdims=True)+1e-5)
def tf(p,t,remat=False):
    x=p['e'][t]
    def layer(x,l):
        b,s,_=x.shape
        q,k_,v=jnp.split((ln(x)*l['g'])@l['q'],3,-1)
        r=lambda z:z.reshape(b,s,H,D//H).transpose(0,2,1,3)
        q,k_,v=r(q),r(k_),r(v)
        a=jnp.einsum('bhqd,bhkd->bhqk',q,k_)/8.
        a=jnp.where(jnp.tril(jnp.ones((s,s),bool)),a,-1e9)
        a=jax.nn.softmax(a,-1)
        o=jnp.einsum('bhqk,bhkd->bhqd',a,v).transpose(0,2,1,3).reshape(b,s,D)
        x=x+o@l['o']
        return x+jax.nn.gelu(ln(x)@l['a'])@l['b']
    if remat: layer=jax.checkpoint(layer)
    for l in p['l']: x=layer(x,l)
    return ln(x)@p['e'].T
TT=jnp.zeros((8,128),jnp.int32)
def tloss(p,t,remat=False):
    lg=tf(p,t,remat)[:,:-1]; return optax.softmax_cross_entropy_with_integer_labels(lg,t[:,1:]).mean()
TP=tparams(); 
def t_first(p,t):
    L,g=jax.value_and_grad(tloss)(p,t); return L,sgd(p,g)
def t_last(p,t):
    g=jax.grad(tloss)(p,t); return sgd(p,g),tloss(p,t)
def t_remat(p,t):
    L,g=jax.value_and_grad(functools.partial(tloss,remat=True))(p,t); return L,sgd(p,g)
for f in (t_first,t_last,t_remat): dump(f.__name__,f,TP,TT,donate=(0,))
# gan two losses
def gan(g,d,x,z):
    def gl(g): return -mlp(d,mlp(g,z)).mean()
    def dl(d): return (mlp(d,mlp(g,z)).mean()-mlp(d,x).mean())
    lg,gg=jax.value_and_grad(gl)(g); ld,gd=jax.value_and_grad(dl)(d)
    return sgd(g,gg),sgd(d,gd),lg,ld
G=mlp_params([256]*5);Dd=mlp_params([256]*4+[1])
dump("gan",gan,G,Dd,X,X,donate=(0,1))
# lstm unrolled
def lstm(p,xs):
    h=jnp.zeros((64,128));c=h
    for t in range(20):
        z=xs[t]@p[0]+h@p[1]+p[2]; i,f,g,o=jnp.split(z,4,-1)
        c=jax.nn.sigmoid(f)*c+jax.nn.sigmoid(i)*jnp.tanh(g); h=jax.nn.sigmoid(o)*jnp.tanh(c)
    return (h**2).mean()
LP=(jnp.zeros((128,512)),jnp.zeros((128,512)),jnp.zeros((512,)))
def lstm_last(p,xs):
    g=jax.grad(lstm)(p,xs); return sgd(p,g),lstm(p,xs)
dump("lstm_last",lstm_last,LP,jnp.zeros((20,64,128)),donate=(0,))
# loops over time or layers inside a loop over steps or microbatches
def lstm_time(p,xs):
    def cell(c,x):
        h,s=c; z=x@p[0]+h@p[1]+p[2]; i,f,g,o=jnp.split(z,4,-1)
        s=jax.nn.sigmoid(f)*s+jax.nn.sigmoid(i)*jnp.tanh(g); h=jax.nn.sigmoid(o)*jnp.tanh(s); return (h,s),h
    _,hs=jax.lax.scan(cell,(jnp.zeros((64,128)),)*2,xs); return (hs**2).mean()
def lstm_steps_scan(p,xs):
    def body(p,x): l,g=jax.value_and_grad(lstm_time)(p,x); return sgd(p,g),l
    return jax.lax.scan(body,p,xs)
dump("lstm_stepscan",lstm_steps_scan,LP,jnp.zeros((4,20,64,128)),donate=(0,))
def layers_micro_scan(p,x,y):
    def body(c,b): l,g=jax.value_and_grad(lloss)(p,*b); return jax.tree.map(jnp.add,c,g),l
    G,T=jax.lax.scan(body,jax.tree.map(jnp.zeros_like,p),(x,y)); return sgd(p,G),T
dump("layers_microscan",layers_micro_scan,PL,X4,X4,donate=(0,))
# forty-eight residual layers, unrolled
def norm(x,g): m=x.mean(-1,keepdims=True); v=((x-m)**2).mean(-1,keepdims=True); return (x-m)*jax.lax.rsqrt(v+1e-5)*g
def deep(p,x,y):
    for q in p: x=x+jax.nn.gelu(norm(x,q[2])@q[0]+q[1])
    return ((x-y)**2).mean()
def deep_step(opt):
    def step(p,s,x,y):
        l,g=jax.value_and_grad(deep)(p,x,y); u,s=opt.update(g,s,p); return optax.apply_updates(p,u),s,l
    return step
PD=[(jnp.zeros((128,128)),jnp.zeros((128,)),jnp.ones((128,))) for _ in range(48)]; XD=jnp.zeros((256,128))
for name,opt in (("deep_momentum",optax.sgd(1e-2,momentum=0.9)),("deep_adamclip",optax.chain(optax.clip_by_global_norm(1.0),optax.adamw(1e-3)))):
    dump(name,deep_step(opt),PD,opt.init(PD),XD,XD,donate=(0,1))
