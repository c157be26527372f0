package zookeeperlike

import (
	"context"
	"errors"
)

// Buggy makes both znodes where there are none. If it was killed between the two, the first is
// there already, which is an error, now and ever after.
func Buggy(ctx context.Context, tree Tree, path string, size int32) error {
	if err := tree.Set(ctx, path+"/size", size); !errors.Is(err, ErrNoNode) {
		return err
	}
	if err := tree.Create(ctx, path, 0); err != nil {
		return err
	}
	return tree.Create(ctx, path+"/size", size)
}
