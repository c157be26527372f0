package library

// words are the names that stand in the standard modules, those of arguments included, each once and in their order:
// strings with the same texts are ordered by it, as by TLC.
var words = map[string]string{
	"Naturals":   "Naturals Nat a b n",
	"Integers":   "INSTANCE Naturals Integers Int a",
	"Sequences":  "Sequences INSTANCE Naturals Seq S n Nat Len s t i Append e Head Tail SubSeq m SelectSeq Test _ F",
	"FiniteSets": "FiniteSets INSTANCE Naturals INSTANCE Sequences IsFiniteSet S seq Seq s n Len Cardinality CS T x",
	"TLC": `TLC INSTANCE Naturals INSTANCE Sequences INSTANCE FiniteSets Print out val PrintT Assert v JavaTime n Nat TLCGet i TLCSet
		d e x f g Permutations S w SortSeq s Op _ Perm p Len j RandomElement Any ToString a b TLCEval`,
	"Bags": `Bags INSTANCE TLC INSTANCE Naturals IsABag B n Nat BagToSet SetToBag S e BagIn EmptyBag B1 B2 d Sum f DSum elt BagUnion
		SubBag RemoveFromDom x y Combine BagSet i Biggest Range r s RSB BB BagOfAll F _ BagCardinality CopiesIn`,
}

// Words returns the names in a standard module in their order, INSTANCE before those of modules of which it is made.
func Words(module string) (string, bool) {
	text, ok := words[module]
	return text, ok
}
