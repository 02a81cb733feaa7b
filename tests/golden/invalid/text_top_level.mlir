// RUN: echo-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+2 {{redefinition of attribute alias id 'foo'}}
#foo = 5
#foo = 6

// -----

// expected-error@+2 {{redefinition of type alias id 'foo'}}
!foo = i32
!foo = i32

// -----

// expected-error@+1 {{expected '=' in attribute alias definition}}
#foo 5

// -----

// expected-error@+1 {{expected '=' in type alias definition}}
!foo i32

// -----

// expected-error@+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#foo.bar = 5

// -----

// expected-error@+1 {{type names with a '.' are reserved for dialect-defined names}}
!foo.bar = i32

// -----

// expected-error@+1 {{expected attribute value}}
#foo = 

// -----

// expected-error@+1 {{expected identifier key in file metadata dictionary}}
{-#

// -----

// expected-error@+1 {{unknown key 'foo' in file metadata dictionary}}
{-# foo: {} #-}

// -----

// expected-error@+1 {{expected ':'}}
{-# dialect_resources 5 #-}

// -----

// expected-error@+1 {{expected '{'}}
{-# dialect_resources: 5 #-}

// -----

// expected-error@+1 {{expected '{'}}
{-# dialect_resources: { builtin: 5 } #-}

// -----

// expected-error@+1 {{expected string, boolean or integer resource value}}
{-# dialect_resources: { builtin: { a: b } } #-}

// -----

// expected-error@+1 {{expected ':'}}
{-# dialect_resources: { builtin: { a "b" } } #-}

// -----

// expected-error@+1 {{expected identifier key for 'resource' entry}}
{-# dialect_resources: { 5: { } } #-}

// -----

// expected-error@+1 {{expected ',' or '#-}'}}
{-# dialect_resources: { builtin: { } } dialect_resources: { } #-}
