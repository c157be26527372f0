package syntax

// fixity says where an operator stands.
type fixity uint8

const (
	infix fixity = 1 << iota
	prefix
	postfix
)

// operator is a symbol of the language. Low and High are its range of precedence
// (Lamport, Specifying Systems, table 6): of two that meet, the one whose whole range is higher binds;
// ranges that overlap need parentheses, unless it is the same operator and associative.
type operator struct {
	low, high int
	left      bool // a op b op c is (a op b) op c
	fixity    fixity
}

// SUBSET is as SANY, the usual parser, has it: tighter than in the book.
var operators = map[string]operator{
	// prefix
	"~":         {4, 4, false, prefix},
	"ENABLED":   {4, 15, false, prefix},
	"UNCHANGED": {4, 15, false, prefix},
	"[]":        {4, 15, false, prefix},
	"<>":        {4, 15, false, prefix},
	"SUBSET":    {10, 13, false, prefix},
	"UNION":     {8, 8, false, prefix},
	"DOMAIN":    {9, 9, false, prefix},
	"-.":        {12, 12, false, prefix},

	// postfix
	"'":  {15, 15, false, postfix},
	"^+": {15, 15, false, postfix},
	"^*": {15, 15, false, postfix},
	"^#": {15, 15, false, postfix},

	// infix
	"=>":           {1, 1, false, infix},
	"-+->":         {2, 2, false, infix},
	"\\equiv":      {2, 2, false, infix},
	"~>":           {2, 2, false, infix},
	"/\\":          {3, 3, true, infix},
	"\\/":          {3, 3, true, infix},
	"#":            {5, 5, false, infix},
	"-|":           {5, 5, false, infix},
	"::=":          {5, 5, false, infix},
	":=":           {5, 5, false, infix},
	"<":            {5, 5, false, infix},
	"=":            {5, 5, false, infix},
	"=|":           {5, 5, false, infix},
	">":            {5, 5, false, infix},
	"\\approx":     {5, 5, false, infix},
	"\\asymp":      {5, 5, false, infix},
	"\\cong":       {5, 5, false, infix},
	"\\doteq":      {5, 5, false, infix},
	"\\geq":        {5, 5, false, infix},
	"\\gg":         {5, 5, false, infix},
	"\\in":         {5, 5, false, infix},
	"\\leq":        {5, 5, false, infix},
	"\\ll":         {5, 5, false, infix},
	"\\notin":      {5, 5, false, infix},
	"\\prec":       {5, 5, false, infix},
	"\\preceq":     {5, 5, false, infix},
	"\\propto":     {5, 5, false, infix},
	"\\sim":        {5, 5, false, infix},
	"\\simeq":      {5, 5, false, infix},
	"\\sqsubset":   {5, 5, false, infix},
	"\\sqsubseteq": {5, 5, false, infix},
	"\\sqsupset":   {5, 5, false, infix},
	"\\sqsupseteq": {5, 5, false, infix},
	"\\subset":     {5, 5, false, infix},
	"\\subseteq":   {5, 5, false, infix},
	"\\succ":       {5, 5, false, infix},
	"\\succeq":     {5, 5, false, infix},
	"\\supset":     {5, 5, false, infix},
	"\\supseteq":   {5, 5, false, infix},
	"|-":           {5, 5, false, infix},
	"|=":           {5, 5, false, infix},
	"\\cdot":       {5, 14, true, infix},
	"@@":           {6, 6, true, infix},
	":>":           {7, 7, false, infix},
	"<:":           {7, 7, false, infix},
	"\\":           {8, 8, false, infix},
	"\\cap":        {8, 8, true, infix},
	"\\cup":        {8, 8, true, infix},
	"..":           {9, 9, false, infix},
	"...":          {9, 9, false, infix},
	"!!":           {9, 13, false, infix},
	"##":           {9, 13, true, infix},
	"$":            {9, 13, true, infix},
	"$$":           {9, 13, true, infix},
	"??":           {9, 13, true, infix},
	"\\sqcap":      {9, 13, true, infix},
	"\\sqcup":      {9, 13, true, infix},
	"\\uplus":      {9, 13, true, infix},
	"\\wr":         {9, 14, false, infix},
	"\\oplus":      {10, 10, true, infix},
	"+":            {10, 10, true, infix},
	"++":           {10, 10, true, infix},
	"%":            {10, 11, false, infix},
	"%%":           {10, 11, true, infix},
	"|":            {10, 11, true, infix},
	"||":           {10, 11, true, infix},
	"\\ominus":     {11, 11, true, infix},
	"-":            {11, 11, true, infix},
	"--":           {11, 11, true, infix},
	"&":            {13, 13, true, infix},
	"&&":           {13, 13, true, infix},
	"\\odot":       {13, 13, true, infix},
	"\\oslash":     {13, 13, false, infix},
	"\\otimes":     {13, 13, true, infix},
	"*":            {13, 13, true, infix},
	"**":           {13, 13, true, infix},
	"/":            {13, 13, false, infix},
	"//":           {13, 13, false, infix},
	"\\bigcirc":    {13, 13, true, infix},
	"\\bullet":     {13, 13, true, infix},
	"\\div":        {13, 13, false, infix},
	"\\o":          {13, 13, true, infix},
	"\\star":       {13, 13, true, infix},
	"^":            {14, 14, false, infix},
	"^^":           {14, 14, false, infix},
	"\\X":          {10, 13, true, infix},
}

// spellings maps each further spelling of a symbol to the first.
var spellings = map[string]string{
	"\\land": "/\\", "\\lor": "\\/", "\\lnot": "~", "\\neg": "~",
	"<=>": "\\equiv", "/=": "#", "<=": "\\leq", "=<": "\\leq", ">=": "\\geq", "\\le": "\\leq", "\\ge": "\\geq",
	"\\intersect": "\\cap", "\\union": "\\cup", "\\circ": "\\o", "\\times": "\\X",
	"(+)": "\\oplus", "(-)": "\\ominus", "(.)": "\\odot", "(/)": "\\oslash", "(\\X)": "\\otimes",
	"\\setminus": "\\",
	// The symbols that Unicode has for them.
	"∧": "/\\", "∨": "\\/", "¬": "~", "≡": "\\equiv", "⇔": "\\equiv", "⇒": "=>", "≠": "#", "≤": "\\leq", "≥": "\\geq",
	"∈": "\\in", "∉": "\\notin", "∩": "\\cap", "∪": "\\cup", "⊆": "\\subseteq", "⊂": "\\subset", "⊇": "\\supseteq",
	"⊃": "\\supset", "∘": "\\o", "×": "\\X", "÷": "\\div", "⋅": "\\cdot", "□": "[]", "◇": "<>", "↝": "~>", "⤳": "~>",
	"∀": "\\A", "∃": "\\E", "⟨": "<<", "⟩": ">>", "〈": "<<", "〉": ">>", "↦": "|->", "→": "->", "←": "<-", "≜": "==",
	"‥": "..", "…": "...", "‖": "||", "⊕": "\\oplus", "⊖": "\\ominus", "⊗": "\\otimes", "⊘": "\\oslash", "⊙": "\\odot",
	"⊓": "\\sqcap", "⊔": "\\sqcup", "⊎": "\\uplus", "⊏": "\\sqsubset", "⊑": "\\sqsubseteq", "⊐": "\\sqsupset",
	"⊒": "\\sqsupseteq", "≺": "\\prec", "⪯": "\\preceq", "≻": "\\succ", "⪰": "\\succeq", "∼": "\\sim", "≃": "\\simeq",
	"≅": "\\cong", "≈": "\\approx", "≍": "\\asymp", "≐": "\\doteq", "∝": "\\propto", "≪": "\\ll", "≫": "\\gg",
	"★": "\\star", "●": "\\bullet", "◯": "\\bigcirc", "≀": "\\wr", "⊢": "|-", "⊣": "-|", "⊨": "|=", "⫤": "=|",
	"⁺": "^+", "≔": ":=", "⩴": "::=",
	"∷": "::", "⟩_": ">>_", "〉_": ">>_", "⇸": "-+->",
}

// Canonical returns the first spelling of a symbol, which trees have: "/\\" for
// "\\land", "\\cup" for "\\union". Other names are returned as they are.
func Canonical(symbol string) string {
	if first, ok := spellings[symbol]; ok {
		return first
	}
	return symbol
}

// Symbol tells whether a name is one of an operator that is written as a symbol.
func Symbol(name string) bool {
	_, ok := operators[name]
	return ok
}
