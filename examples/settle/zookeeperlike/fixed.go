package zookeeperlike

import (
	"context"
	"errors"
)

// Fixed is content with a parent that is there already.
func Fixed(ctx context.Context, tree Tree, path string, size int32) error {
	if err := tree.Set(ctx, path+"/size", size); !errors.Is(err, ErrNoNode) {
		return err
	}
	if err := tree.Create(ctx, path, 0); err != nil && !errors.Is(err, ErrNodeExists) {
		return err
	}
	return tree.Create(ctx, path+"/size", size)
}
