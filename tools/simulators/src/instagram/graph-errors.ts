import { randomBytes } from 'node:crypto';
import { json, ResponseError, type SimResponse } from '../server/http';

export type Language = 'en' | 'es';

/** Title and text that the user sees; `{name}` is replaced by a detail of the request. */
type Words = readonly [title: string, text: string];

/** An error of the Graph API without the details of a request. */
export interface GraphErrorRow extends Partial<Record<Language, Words>> {
  code: number;
  subcode?: number;
  status?: number;
  type?: 'OAuthException' | 'IGApiException' | 'GraphMethodException';
  message: string;
  transient?: boolean;
}

const row = (code: number, subcode: number, message: string, more: Partial<GraphErrorRow> = {}): GraphErrorRow => ({
  code,
  subcode,
  message,
  ...more,
});

const GRAPH_ERRORS = {
  download_timeout: {
    ...row(-2, 2207003, 'Timeout', { transient: true }),
    en: ['Media download has timed out', 'It takes too long to download the media.'],
    es: ['Se ha agotado el tiempo de descarga del contenido multimedia', 'La descarga del contenido multimedia tarda demasiado.'],
  },
  server_error: {
    ...row(-1, 2207001, 'An unknown error has occurred.', { transient: true }),
    en: ['Instagram server error', 'Instagram server error. Try again.'],
    es: ['Error del servidor de Instagram', 'Error del servidor de Instagram. Vuelve a intentarlo.'],
  },
  thumb_offset: {
    ...row(1, 2207057, 'Invalid parameter'),
    en: ['Invalid thumbnail offset', 'Thumbnail offset must be greater than or equal to 0 and less than video duration.'],
    es: ['Desfase de miniatura no válido', 'El desfase de la miniatura debe ser menor que la duración del video.'],
  },
  spam: {
    ...row(4, 2207051, 'Application request limit reached', { status: 403 }),
    en: ['Action is blocked', 'We restrict certain activity to protect our community. Tell us if you think we made a mistake.'],
    es: ['La acción está bloqueada', 'Restringimos cierta actividad para proteger a nuestra comunidad.'],
  },
  publish_quota: {
    ...row(9, 2207042, 'Application request limit reached', { status: 403 }),
    en: ['Max posts reached', 'You reached maximum number of posts that is allowed to be published by Content Publishing API.'],
    es: [
      'Máximo de publicaciones alcanzado',
      'Has alcanzado el número máximo de publicaciones permitidas por la API de publicación de contenido.',
    ],
  },
  container_missing: {
    ...row(24, 2207008, 'The requested resource does not exist'),
    en: ['Media not found', 'The media builder does not exist or has expired.'],
    es: ['Contenido multimedia no encontrado', 'El contenedor multimedia no existe o ha caducado.'],
  },
  media_not_found: {
    ...row(24, 2207006, 'The requested resource does not exist'),
    en: ['Media not found', 'The media with the given id cannot be found.'],
    es: ['Contenido multimedia no encontrado', 'No se encuentra el contenido multimedia.'],
  },
  account_restricted: {
    ...row(25, 2207050, 'The Instagram account is restricted.', { status: 403 }),
    en: ['Account restricted', 'The Instagram professional account is inactive, checkpointed or restricted.'],
    es: ['Cuenta restringida', 'La cuenta profesional de Instagram está inactiva o restringida.'],
  },
  media_type: {
    ...row(100, 2207023, 'Invalid parameter'),
    en: ['Unknown media type', 'The media type is unknown.'],
    es: ['Tipo de contenido desconocido', 'El tipo de contenido multimedia es desconocido.'],
  },
  carousel_count: {
    ...row(100, 2207028, 'Invalid parameter'),
    en: ['Carousel validation failed', 'Carousels need at least 2 and no more than 10 photos or videos.'],
    es: ['La validación de la secuencia ha fallado', 'Las secuencias necesitan entre 2 y 10 fotos o videos.'],
  },
  too_many_tags: {
    ...row(100, 2207040, 'Invalid parameter'),
    en: ['Too many tags', 'Cannot use more than 20 mentions per media.'],
    es: ['Demasiadas etiquetas', 'No se pueden usar más de 20 menciones por publicación.'],
  },
  too_many_hashtags: {
    ...row(36004, 2207010, 'The caption was too long or has too many hashtags.'),
    en: ['Too many hashtags', 'Cannot use more than 5 hashtags per media.'],
    es: ['Demasiados hashtags', 'No se pueden usar más de 5 hashtags por publicación.'],
  },
  video_format: {
    ...row(352, 2207026, 'The video format is not supported.'),
    en: ['Unsupported video format', 'The video format is not supported. Please check spec for supported format.'],
    es: ['Formato de video no compatible', 'El formato de video no es compatible.'],
  },
  media_unreachable: {
    ...row(9004, 2207052, 'Only photo or video can be accepted as media type.'),
    en: ['Media download has failed. The media URI does not meet our requirements.', 'The media could not be fetched from this URI: {url}'],
    es: [
      'Se ha producido un error al descargar el contenido. El URI no cumple nuestros requisitos.',
      'No se ha podido recuperar el contenido multimedia de este URI: {url}',
    ],
  },
  not_ready: {
    ...row(9007, 2207027, 'Media ID is not available'),
    en: ['Media is not ready', 'The media is not ready to be published. Please wait a moment.'],
    es: ['El contenido multimedia no está listo', 'El contenido multimedia no está listo para publicarse. Espera un momento.'],
  },
  image_size: {
    ...row(36000, 2207004, 'The image is too large to download.'),
    en: ['Image too large', 'The image should be less than 8 MiB.'],
    es: ['Imagen demasiado grande', 'La imagen debe pesar menos de 8 MiB.'],
  },
  image_format: {
    ...row(36001, 2207005, 'The image format is not supported.'),
    en: ['Unsupported image format', 'The image format is not supported. Supported formats are: JPEG.'],
    es: ['Formato de imagen no compatible', 'El formato de la imagen no es compatible. Formatos compatibles: JPEG.'],
  },
  aspect_ratio: {
    ...row(36003, 2207009, "The submitted image with aspect ratio ('{ratio}',) cannot be published."),
    en: ['The aspect ratio is not supported', 'The submitted image aspect ratio must be within the 4:5 to 1.91:1 range.'],
    es: ['La relación de aspecto no es compatible', 'La relación de aspecto debe estar entre 4:5 y 1.91:1.'],
  },
  caption_length: {
    ...row(36004, 2207010, 'The caption is too long'),
    en: ['Caption too long', 'The caption was too long. Up to 2,200 characters.'],
    es: ['Texto demasiado largo', 'El texto es demasiado largo. Hasta 2.200 caracteres.'],
  },
  location: { code: 100, message: 'INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID' },
  missing_object: row(
    100,
    33,
    "Unsupported request. Object with ID '{id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
    { type: 'GraphMethodException' },
  ),
  bad_param: { code: 100, message: '(#100) {what}' },
  proof_required: { code: 100, type: 'GraphMethodException', message: 'API calls from the server require an appsecret_proof argument' },
  bad_proof: { code: 100, type: 'GraphMethodException', message: 'Invalid appsecret_proof provided in the API argument' },
  unknown_path: { code: 2500, message: 'Unknown path components: {path}' },
  not_professional: {
    ...row(110, 2207013, 'Invalid user id'),
    en: ['Cannot find User', 'The user with username {name} cannot be found.'],
    es: ['No se encuentra el usuario', 'No se encuentra el usuario {name}.'],
  },
  no_permission: { code: 10, status: 403, message: '(#10) Application does not have permission for this action' },
  no_token: { code: 2500, status: 400, message: 'An active access token must be used to query information about the current user.' },
  bad_token: { code: 190, status: 401, message: 'Invalid OAuth access token - Cannot parse access token' },
  expired_token: row(190, 463, 'Error validating access token: Session has expired on {then}. The current time is {now}.', { status: 401 }),
  young_token: { code: 190, status: 400, message: 'The access token is less than 24 hours old and cannot be refreshed yet.' },
  unavailable: { code: 2, status: 503, message: 'An unexpected error has occurred. Please retry your request later.', transient: true },
  usage_limit: { code: 80002, message: '(#80002) There have been too many calls to this Instagram account. Wait a bit and try again.' },
  oembed_missing: { code: 24, subcode: 2207046, status: 404, message: 'No Media Match' },
} satisfies Record<string, GraphErrorRow>;

export type GraphErrorName = keyof typeof GRAPH_ERRORS;

/** The response with this error; `details` replaces `{name}` in the texts. */
export function graphResponse(found: GraphErrorRow, details: Record<string, string> = {}, language: Language = 'en'): SimResponse {
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, key: string) => details[key] ?? whole);
  const message = fill(found.message);
  const words = found[language];
  const error = {
    message,
    type: found.type ?? 'OAuthException',
    code: found.code,
    ...(found.subcode === undefined ? {} : { error_subcode: found.subcode, is_transient: found.transient ?? false }),
    ...(words ? { error_user_title: words[0], error_user_msg: fill(words[1]) } : {}),
    fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
  };
  const challenge = { 'www-authenticate': `OAuth "Facebook Platform" "invalid_token" "${message}"` };
  return json(found.status ?? 400, { error }, found.code === 190 ? challenge : {});
}

/** An error response to throw. */
export const graphError = (name: GraphErrorName, details?: Record<string, string>, language?: Language): ResponseError =>
  new ResponseError(graphResponse(GRAPH_ERRORS[name], details, language));
