import { PipelineError, type Failure, type FailureKind } from '@autoposter/domain';

type Detail = Failure['detail'];

function mediaError(kind: FailureKind, message: string, nextAction: string, detail?: Detail, cause?: unknown): PipelineError {
  return new PipelineError({ kind, message, side: 'ours', nextAction, ...(detail ? { detail } : {}) }, { cause });
}

export function unsupported(what: string, detail?: Detail): PipelineError {
  return mediaError('unsupported_media', `The file cannot be used: ${what}.`, 'Nothing to do: this kind of file is left out.', detail);
}

export function corrupt(what: string, detail?: Detail): PipelineError {
  return mediaError('corrupt_media', `The file is damaged: ${what}.`, 'Check the post at its source, then retry the download.', detail);
}

/** Not what its container announces: another transfer may bring the rest. */
export function truncated(part: string, detail: NonNullable<Detail>): PipelineError {
  return mediaError('integrity', `The file is incomplete: its ${part} is missing.`, 'The download is tried again automatically.', detail);
}

export function tooLarge(what: string, detail?: Detail): PipelineError {
  return mediaError('too_large', `The file is too large: ${what}.`, 'Nothing to do: files of this size are left out.', detail);
}

export function outOfTime(what: string, detail?: Detail): PipelineError {
  return mediaError('transient', what, 'It is tried again by itself; a busy machine is slower.', detail);
}

export function stopped(cause: unknown): PipelineError {
  return mediaError('transient', 'The work on this file was stopped.', 'It is tried again by itself.', undefined, cause);
}

export function toolMissing(path: string, cause: unknown): PipelineError {
  const next = 'Install ffmpeg (with ffprobe) or set FFMPEG_PATH and FFPROBE_PATH.';
  return new PipelineError(
    { kind: 'not_configured', message: `"${path}" cannot be started.`, side: 'operator', nextAction: next },
    { cause },
  );
}

export function toolBroke(what: string, detail?: Detail, cause?: unknown): PipelineError {
  return mediaError('internal', what, 'Look at the details; it is tried again by itself.', detail, cause);
}
