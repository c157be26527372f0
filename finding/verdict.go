package finding

// Combine returns the verdict of several together: one violation outweighs
// whatever is inconclusive, and holds needs all to hold. No verdict at all is
// inconclusive, since nothing was established; so is an unknown one.
func Combine(verdicts ...Verdict) Verdict {
	if len(verdicts) == 0 {
		return Inconclusive
	}
	combined := Holds
	for _, v := range verdicts {
		switch v {
		case Violated:
			return Violated
		case Holds:
		case Inconclusive:
			combined = Inconclusive
		default:
			combined = Inconclusive
		}
	}
	return combined
}

// Code is a process exit code. It depends on what was found, never on the
// format in which it is shown.
type Code int

const (
	// CodeHolds: every selected property holds within the stated bound.
	CodeHolds Code = 0
	// CodeViolated: at least one property is violated.
	CodeViolated Code = 1
	// CodeInput: the command line or the input is wrong.
	CodeInput Code = 2
	// CodeInconclusive: a limit was hit, or something that could matter was
	// left out of account, before anything was found.
	CodeInconclusive Code = 3
	// CodeInternal: seatrial or the machine under it failed.
	CodeInternal Code = 4
	// CodeInterrupted: the user stopped the run before anything was found.
	CodeInterrupted Code = 130
)

// precedence lists the codes from the one that wins over all others to the
// one that loses to all.
var precedence = []Code{CodeInternal, CodeInput, CodeViolated, CodeInterrupted, CodeInconclusive, CodeHolds}

// Worst returns the code that stands for several: 4 before 2 before 1 before
// 130 before 3 before 0. A code that is not one of these counts as 4. No code
// at all is 0.
func Worst(codes ...Code) Code {
	worst := len(precedence) - 1
	for _, c := range codes {
		rank := 0
		for i, p := range precedence {
			if c == p {
				rank = i
			}
		}
		worst = min(worst, rank)
	}
	return precedence[worst]
}

// Code returns the exit code of a report. Violations that are ignored do not
// count.
func (r *Report) Code() Code {
	codes := []Code{r.Verdict.code()}
	for _, result := range r.Results {
		if result.counts() {
			codes = append(codes, result.Verdict.code())
		}
	}
	if r.Interrupted {
		codes = append(codes, CodeInterrupted)
	}
	return Worst(codes...)
}

func (v Verdict) code() Code {
	switch v {
	case Holds:
		return CodeHolds
	case Violated:
		return CodeViolated
	case Inconclusive:
		return CodeInconclusive
	default:
		return CodeInternal
	}
}
