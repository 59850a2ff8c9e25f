import {
  type Handler,
  type SimResponse,
  empty,
  get,
  header,
  json,
  jsonOf,
  post,
  remove,
  type Route,
  type SimRequest,
} from '../server/http';
import { stableId64 } from '../server/stable-random';
import { type FileStore, MEDIA_TYPES, type StoredFile } from './file-store';
import { foreignFile, geminiError, invalidArgument } from './gemini-errors';
import { isObject } from './generation-request';

const FILE_LIMIT_BYTES = 2_147_483_648;
/** The API includes a thumbnail of several kilobytes in every video resource. */
const THUMBNAIL = stableId64('thumbnail of a file', 4_000);

/** The Files API. */
export function fileRoutes(files: FileStore): Route[] {
  const path = '/v1beta/files';
  const withFile =
    (act: (file: StoredFile, request: SimRequest) => SimResponse): Handler =>
    (request) => {
      const file = files.find(request.params.id ?? '');
      return file ? act(file, request) : foreignFile(request.params.id ?? '');
    };
  const read = withFile((file, { origin }) => json(200, resource(files, file, origin)));
  const drop = withFile((file) => (files.remove(file.id), json(200, {})));
  const start: Handler = (request) => startUpload(files, request);
  return [
    post(`/upload${path}`, start),
    get(path, (request) => listFiles(files, request)),
    get(`${path}/:id`, read),
    remove(`${path}/:id`, drop),
  ];
}

/** Authorized by its address instead of the key. */
export const uploadRoute = (files: FileStore): Route => post('/upload/v1beta/files/:upload', (request) => receive(files, request));

/** Oldest first; `pageToken` is the offset of the page. */
function listFiles(files: FileStore, { query, origin }: SimRequest): SimResponse {
  const size = Number(query.get('pageSize') ?? 10);
  const start = Number(query.get('pageToken') ?? 0);
  if (!Number.isInteger(size) || size < 0 || size > 100) return invalidArgument('page_size must be between 0 and 100.');
  if (!Number.isInteger(start) || start < 0) return invalidArgument('page_token is not valid.');
  const all = files.list();
  const end = start + (size || 10);
  const page = all.slice(start, end).map((file) => resource(files, file, origin));
  return json(200, { ...(page.length > 0 ? { files: page } : {}), ...(end < all.length ? { nextPageToken: String(end) } : {}) });
}

function startUpload(files: FileStore, request: SimRequest): SimResponse {
  if (header(request, 'x-goog-upload-protocol') !== 'resumable' || header(request, 'x-goog-upload-command') !== 'start') {
    return invalidArgument('Only resumable uploads are supported.');
  }
  const length = Number(header(request, 'x-goog-upload-header-content-length') ?? Number.NaN);
  const mimeType = header(request, 'x-goog-upload-header-content-type') ?? '';
  if (!Number.isInteger(length) || length <= 0) return invalidArgument('The upload needs a content length.');
  if (length > FILE_LIMIT_BYTES) return invalidArgument(`File size exceeds the limit: ${FILE_LIMIT_BYTES} bytes.`);
  if (!MEDIA_TYPES.includes(mimeType)) return invalidArgument(`Unsupported MIME type: ${mimeType}`);
  const body = jsonOf(request);
  const file = isObject(body) && isObject(body.file) ? body.file : {};
  const displayName = file.display_name ?? file.displayName;
  const upload = files.open({ displayName: typeof displayName === 'string' ? displayName : null, mimeType, length });
  return empty(200, {
    'x-goog-upload-url': `${request.origin}/upload/v1beta/files/${upload.id}?upload_id=${upload.id}&upload_protocol=resumable`,
    'x-goog-upload-status': 'active',
  });
}

async function receive(files: FileStore, request: SimRequest): Promise<SimResponse> {
  const upload = files.upload(request.params.upload ?? '');
  if (!upload) return geminiError(404, 'NOT_FOUND', 'Upload has already been terminated.');
  if (Number(header(request, 'x-goog-upload-offset')) !== upload.received) return invalidArgument('Upload offset does not match.');
  if (upload.received + request.body.length > upload.length) return invalidArgument('Upload exceeds the declared content length.');
  upload.chunks.push(request.body);
  upload.received += request.body.length;
  const commands = (header(request, 'x-goog-upload-command') ?? '').split(',').map((part) => part.trim());
  if (!commands.includes('finalize'))
    return empty(200, { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': String(upload.received) });
  if (upload.received !== upload.length) return invalidArgument('Upload size does not match the declared content length.');
  const file = await files.finish(upload, request.behaviours.has('file_failed'));
  return json(200, { file: resource(files, file, request.origin) }, { 'x-goog-upload-status': 'final' });
}

function resource(files: FileStore, file: StoredFile, origin: string): Record<string, unknown> {
  const state = files.stateOf(file);
  const time = (ms: number): string => new Date(ms).toISOString();
  const video =
    state === 'ACTIVE' && file.mimeType.startsWith('video/')
      ? { videoMetadata: { videoDuration: `${Math.round(file.seconds ?? 0)}s`, videoThumbnailBytes: THUMBNAIL } }
      : {};
  const failure = state === 'FAILED' ? { error: { code: 3, message: 'The file failed to be processed.' } } : {};
  return {
    name: `files/${file.id}`,
    ...(file.displayName === null ? {} : { displayName: file.displayName }),
    mimeType: file.mimeType,
    sizeBytes: String(file.bytes),
    createTime: time(file.createdAt),
    updateTime: time(file.createdAt),
    expirationTime: time(files.expiresAt(file)),
    sha256Hash: Buffer.from(file.sha256).toString('base64'),
    uri: `${origin}/v1beta/files/${file.id}`,
    state,
    source: 'UPLOADED',
    ...video,
    ...failure,
  };
}
