package kubestate

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What is here is checked of several kinds, with the words of kube-apiserver.

// nonNegative refuses a number below zero.
func nonNegative[T int32 | int64](at *field.Path, n T) field.ErrorList {
	return validation.ValidateNonnegativeField(int64(n), at)
}

// optional is nonNegative of a number that need not be there.
func optional[T int32 | int64](at *field.Path, n *T) field.ErrorList {
	if n == nil {
		return nil
	}
	return nonNegative(at, *n)
}

// immutable refuses a change.
func immutable(at *field.Path, now, old any) field.ErrorList {
	return validation.ValidateImmutableField(now, old, at)
}

// sealed refuses a change of what is immutable because the object says so. To make nothing of
// what is empty, and the other way round, is one.
func sealed(name string, now, old any) field.ErrorList {
	if reflect.DeepEqual(now, old) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath(name), "field is immutable when `immutable` is set")}
}

// invalid makes an error of each message.
func invalid(at *field.Path, value any, messages []string) field.ErrorList {
	var all field.ErrorList
	for _, m := range messages {
		all = append(all, field.Invalid(at, value, m))
	}
	return all
}

func dnsLabel(at *field.Path, name string) field.ErrorList {
	return invalid(at, name, valid.IsDNS1123Label(name))
}

// oneOf refuses what is none of the values, and asks for one if there is none.
func oneOf[T ~string](at *field.Path, value T, values ...T) field.ErrorList {
	switch {
	case value == "":
		return field.ErrorList{field.Required(at, "")}
	case !slices.Contains(values, value):
		return field.ErrorList{field.NotSupported(at, value, values)}
	}
	return nil
}

func validSelector(at *field.Path, s *metav1.LabelSelector) field.ErrorList {
	return metavalidation.ValidateLabelSelector(s, metavalidation.LabelSelectorValidationOptions{}, at)
}

// required refuses a selector that is missing, or that selects all of what kind owns.
func required(at *field.Path, s *metav1.LabelSelector, kind string) field.ErrorList {
	if s == nil {
		return field.ErrorList{field.Required(at, "")}
	}
	all := validSelector(at, s)
	if len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		all = append(all, field.Invalid(at, s, "empty selector is invalid for "+kind))
	}
	return all
}

// selects refuses a template whose pods a selector would not select. What is wrong with
// the selector is said elsewhere.
func selects(template *field.Path, s *metav1.LabelSelector, of map[string]string) field.ErrorList {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil || s != nil && selector.Empty() || selector.Matches(labels.Set(of)) {
		return nil
	}
	return field.ErrorList{field.Invalid(template.Child("metadata", "labels"), of, "`selector` does not match template `labels`")}
}

// amount refuses what is neither a number nor a percentage of at most 100.
func amount(at *field.Path, v *intstr.IntOrString) field.ErrorList {
	if v == nil {
		return nil
	}
	if v.Type == intstr.Int {
		return nonNegative(at, v.IntVal)
	}
	if messages := valid.IsValidPercent(v.StrVal); len(messages) > 0 {
		return invalid(at, *v, messages)
	}
	if percent(*v) > 100 {
		return field.ErrorList{field.Invalid(at, *v, "must not be greater than 100%")}
	}
	return nil
}

// percent is the number of a percentage, or the number.
func percent(v intstr.IntOrString) int {
	if v.Type == intstr.Int {
		return int(v.IntVal)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(v.StrVal, "%"))
	if err != nil {
		return 0
	}
	return n
}

// sorted are the keys of a map in order, so that errors come in one.
func sorted[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
