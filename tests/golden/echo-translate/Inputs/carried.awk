# Of each function: how many vectors each of its loops carries.
/^define/ { printf "%s", $3 }
/phi <16/ { ++n; next }
n { printf " %d", n; n = 0 }
/^}/ { print "" }
