module github.com/seatrial/seatrial/examples/configtest/courier

go 1.26.0

require github.com/seatrial/seatrial v0.0.0

replace github.com/seatrial/seatrial => ../../..
