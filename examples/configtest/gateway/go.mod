module github.com/seatrial/seatrial/examples/configtest/gateway

go 1.26.0
