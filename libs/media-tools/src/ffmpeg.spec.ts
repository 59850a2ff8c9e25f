import { ffmpegArguments } from './ffmpeg';

describe('ffmpegArguments', () => {
  const plan = { videoFilters: ['fps=30', 'scale=2:2'], outputOptions: ['-t', '1', '-metadata', 'a b'], maxPixels: 100 };

  it('guards each input, never prompts, and lets no file name become an option', () => {
    const args = ffmpegArguments({
      ...plan,
      inputs: [{ source: '/media/-o with space', demuxer: 'mov', seekSeconds: 1.5, options: ['-threads', '2'] }],
      output: '/media/-out.mp4',
    });
    expect(args).toEqual([
      ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'error', '-progress', 'pipe:3'],
      ...['-f', 'mov', '-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2', '-protocol_whitelist', 'file,pipe'],
      ...['-max_pixels', '100', '-probesize', '20M', '-analyzeduration', '10M', '-threads', '2', '-ss', '1.500'],
      ...['-i', 'file:/media/-o with space', '-filter:v', 'fps=30,scale=2:2', '-t', '1', '-metadata', 'a b', '-y', 'file:/media/-out.mp4'],
    ]);
  });

  it('writes to the pipe without touching a file', () => {
    const args = ffmpegArguments({ ...plan, inputs: [{ source: 'color=c=red', demuxer: 'lavfi' }], output: 'pipe:1' });
    expect(args.slice(7)).toEqual([
      '-f',
      'lavfi',
      '-i',
      'color=c=red',
      '-filter:v',
      'fps=30,scale=2:2',
      '-t',
      '1',
      '-metadata',
      'a b',
      'pipe:1',
    ]);
  });
});
