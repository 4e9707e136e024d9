/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A picture of the plate, with a scale: see heat_picture.h.
 *
 * Layout, from left to right: margin, plate, margin, scale, numbers, margin.  A
 * small plate is enlarged; thin lines mark equal temperatures.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "heat_picture.h"

#include <stdio.h>

#ifndef HAVE_LIBPNG

int picture_write(const char *path, size_t size, const double *values, double hottest)
{
    (void)size;
    (void)values;
    (void)hottest;
    fprintf(stderr, "heat: built without libpng: %s is not written\n", path);
    return 0;
}

#else

#include <png.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 24
#define SCALE_WIDTH 22
#define NUMBER_WIDTH 44
#define N_BANDS 10      /* lines of equal temperature lie between these */
#define SMALLEST_SIDE 480

struct colour {
    unsigned char red, green, blue;
};

struct canvas {
    size_t width, height;
    struct colour *pixels;
};

/* From cold to hot: near black, violet, red, orange, yellow, near white. */
static const struct colour stops[] = {
    { 6, 6, 22 },    { 34, 14, 84 },   { 88, 20, 124 },  { 146, 28, 122 }, { 200, 44, 92 },
    { 238, 84, 48 }, { 252, 138, 20 }, { 253, 192, 46 }, { 250, 236, 120 }, { 255, 253, 226 },
};

static const struct colour background = { 18, 18, 24 };
static const struct colour ink = { 226, 226, 232 };

/* Digits of 5 x 7 points, a row in the low 5 bits of each byte. */
static const unsigned char digits[10][7] = {
    { 14, 17, 19, 21, 25, 17, 14 }, { 4, 12, 4, 4, 4, 4, 14 },     { 14, 17, 1, 2, 4, 8, 31 },
    { 31, 2, 4, 2, 1, 17, 14 },     { 2, 6, 10, 18, 31, 2, 2 },    { 31, 16, 30, 1, 1, 17, 14 },
    { 6, 8, 16, 30, 17, 17, 14 },   { 31, 1, 2, 4, 8, 8, 8 },      { 14, 17, 17, 14, 17, 17, 14 },
    { 14, 17, 17, 15, 1, 2, 12 },
};

static unsigned char mix(unsigned char from, unsigned char to, double part)
{
    return (unsigned char)(from + (to - from) * part + 0.5);
}

/* The colour of a temperature, as a part of the hottest. */
static struct colour colour_of(double part)
{
    size_t n_steps = sizeof(stops) / sizeof(*stops) - 1, step;
    double place;

    part = part < 0 ? 0 : part > 1 ? 1 : part;
    place = part * (double)n_steps;
    step = (size_t)place < n_steps ? (size_t)place : n_steps - 1;
    place -= (double)step;
    return (struct colour){ mix(stops[step].red, stops[step + 1].red, place),
                            mix(stops[step].green, stops[step + 1].green, place),
                            mix(stops[step].blue, stops[step + 1].blue, place) };
}

static struct colour blend(struct colour from, struct colour to, double part)
{
    return (struct colour){ mix(from.red, to.red, part), mix(from.green, to.green, part),
                            mix(from.blue, to.blue, part) };
}

static struct colour *pixel(const struct canvas *canvas, size_t x, size_t y)
{
    return &canvas->pixels[y * canvas->width + x];
}

/* Between the points of the plate: the mean of the nearest four, weighted. */
static double value_at(size_t size, const double *values, double x, double y)
{
    size_t column = (size_t)x < size - 1 ? (size_t)x : size - 2;
    size_t row = (size_t)y < size - 1 ? (size_t)y : size - 2;
    const double *corner = &values[row * size + column];

    x -= (double)column;
    y -= (double)row;
    return (corner[0] * (1 - x) + corner[1] * x) * (1 - y) +
           (corner[size] * (1 - x) + corner[size + 1] * x) * y;
}

static void draw_plate(const struct canvas *canvas, size_t side, size_t size,
                       const double *values, double hottest)
{
    double step = (double)(size - 1) / (double)(side - 1);

    for (size_t y = 0; y < side; y++) {
        for (size_t x = 0; x < side; x++) {
            double column = (double)x * step, row = (double)y * step;
            double right = x + 1 < side ? column + step : column;
            double below = y + 1 < side ? row + step : row;
            double here = value_at(size, values, column, row) / hottest;
            double there_x = value_at(size, values, right, row) / hottest;
            double there_y = value_at(size, values, column, below) / hottest;
            struct colour colour = colour_of(here);
            int band = (int)(here * N_BANDS);

            if (band != (int)(there_x * N_BANDS) || band != (int)(there_y * N_BANDS))
                colour = blend(colour, ink, 0.28);
            *pixel(canvas, MARGIN + x, MARGIN + y) = colour;
        }
    }
}

/* A number whose middle is at height y. */
static void draw_number(const struct canvas *canvas, size_t x, size_t y, int number)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", number);
    for (size_t i = 0; text[i]; i++, x += 12) {
        for (size_t j = 0; j < 14 * 10; j++) {
            size_t row = j / 10, column = j % 10;

            if (digits[text[i] - '0'][row / 2] >> (4 - column / 2) & 1)
                *pixel(canvas, x + column, y - 7 + row) = ink;
        }
    }
}

static void draw_scale(const struct canvas *canvas, size_t side, double hottest)
{
    size_t left = 2 * MARGIN + side;

    for (size_t y = 0; y < side; y++) {
        double part = 1 - (double)y / (double)(side - 1);

        for (size_t x = 0; x < SCALE_WIDTH; x++)
            *pixel(canvas, left + x, MARGIN + y) = colour_of(part);
    }
    for (int i = 0; i <= 4; i++) {
        size_t y = MARGIN + (side - 1) * (size_t)(4 - i) / 4;

        for (size_t x = 0; x < 6; x++)
            *pixel(canvas, left + SCALE_WIDTH + x, y) = ink;
        draw_number(canvas, left + SCALE_WIDTH + 10, y, (int)(hottest * i / 4));
    }
}

/* 0, or -1 with errno. */
static int write_png(const char *path, const struct canvas *canvas)
{
    png_image image;
    FILE *file = fopen(path, "wb");
    int written;

    if (!file)
        return -1;
    memset(&image, 0, sizeof(image));
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)canvas->width;
    image.height = (png_uint_32)canvas->height;
    image.format = PNG_FORMAT_RGB;
    errno = EIO;
    written = png_image_write_to_stdio(&image, file, 0, canvas->pixels, 0, NULL);
    png_image_free(&image);
    return fclose(file) == 0 && written ? 0 : -1;
}

int picture_write(const char *path, size_t size, const double *values, double hottest)
{
    size_t side = size * ((SMALLEST_SIDE + size - 1) / size);
    struct canvas canvas = { side + 3 * MARGIN + SCALE_WIDTH + NUMBER_WIDTH, side + 2 * MARGIN,
                             NULL };
    size_t n_pixels = canvas.width * canvas.height;
    int status = -1;

    canvas.pixels = (struct colour *)malloc(n_pixels * sizeof(*canvas.pixels));
    if (canvas.pixels) {
        for (size_t i = 0; i < n_pixels; i++)
            canvas.pixels[i] = background;
        draw_plate(&canvas, side, size, values, hottest);
        draw_scale(&canvas, side, hottest);
        status = write_png(path, &canvas);
    }
    if (status < 0)
        fprintf(stderr, "heat: %s: %s\n", path, strerror(errno));
    else
        printf("heat: %s: %zu x %zu pixels\n", path, canvas.width, canvas.height);
    free(canvas.pixels);
    return status;
}

#endif
