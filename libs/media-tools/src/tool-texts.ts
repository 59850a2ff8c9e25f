/**
 * Failures that the tools tell by text alone: ffmpeg exits with 1 for each of them, and an error of sharp has neither code nor field. Whatever else
 * they say is about the file. `tool-texts.int.spec.ts` makes the installed tools fail in each of these ways, so that an update that rewords one is seen.
 */

/** sharp 0.35 with libvips 8.18: `src/common.cc` of sharp for limit and timeout, the decoders of libvips for the end of the data. */
export const SHARP_TEXTS = {
  pixels: /pixel limit|too large|exceeds/i,
  timeout: /timeout/i,
  endsEarly: /premature end/i,
} as const;

/**
 * ffmpeg 5.1 to 7.1. `misused`: we called it wrongly, or its build lacks a part (`fftools/cmdutils.c`, `fftools/ffmpeg_opt.c`, `libavfilter`).
 * `streams`: `libavformat/utils.c`. `memory`, `fileSize` and `disk`: errno as the C library words it, `libavcodec/decode.c`, and x264.
 * `forbidden`: `libavformat/avio.c`, `libavformat/demux.c`. `frameSize`: `libavutil/imgutils.c`, `libavcodec`.
 */
export const FFMPEG_TEXTS = {
  misused:
    /Unrecognized option|Option .{0,200} not found|Unable to parse option|Error parsing (?:options|a filter)|No such filter|Undefined constant|Unknown encoder|Unable to find a suitable output format|Missing argument/i,
  streams: /Number of streams exceeds max_streams parameter \((\d+)\)/,
  memory: /(?:Cannot|Could not) allocate memory|get_buffer\(\) failed|malloc of size \d+ failed/i,
  forbidden: /not on whitelist|not in whitelist|Protocol .{0,200} not|Unknown input format|Decoder .{0,200} not found|unsupported codec/i,
  frameSize: /exceeds specified max pixel|Picture size .{0,200} is invalid/i,
  fileSize: /File size limit exceeded|File too large/i,
  disk: /No space left on device/i,
} as const;
