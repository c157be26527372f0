package zookeeperlike

import (
	"context"
	"errors"
)

// Tree is a client of ZooKeeper.
type Tree interface {
	// Create makes a znode. It is ErrNodeExists if there is one, and ErrNoNode if it has no parent.
	Create(ctx context.Context, path string, data int32) error
	// Set changes a znode. It is ErrNoNode if there is none.
	Set(ctx context.Context, path string, data int32) error
}

// The errors of a Tree.
var (
	ErrNodeExists = errors.New("node already exists")
	ErrNoNode     = errors.New("node does not exist")
)
