package library

// Modules that only proofs use: what they state is not evaluated.
var (
	_ = enter("TLAPS", nil)
	_ = enter("NaturalsInduction", []string{"Integers"})
	_ = enter("SequenceTheorems", []string{"Sequences", "Integers"})
	_ = enter("SequencesExtTheorems", []string{"Sequences", "Integers"})
	_ = enter("FiniteSetTheorems", []string{"FiniteSets", "Integers", "Sequences"})
	_ = enter("FiniteSetsExtTheorems", []string{"FiniteSets", "Integers"})
	_ = enter("FunctionTheorems", []string{"Integers"})
	_ = enter("BagsTheorems", []string{"Bags", "Integers"})
	_ = enter("WellFoundedInduction", []string{"Integers"})
)
