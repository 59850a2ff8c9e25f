import { randomBytes } from 'node:crypto';
import { json, ResponseError } from '../server/http';

/** An error of the Graph API without the details of a request. */
export interface GraphErrorRow {
  code: number;
  subcode?: number;
  status?: number;
  type?: 'OAuthException' | 'IGApiException' | 'GraphMethodException';
  message: string;
  transient?: boolean;
  /** User-visible texts, in the account's language. */
  title?: { en: string; es: string };
  text?: { en: string; es: string };
}

export const GRAPH_ERRORS = {
  download_timeout: {
    code: -2,
    subcode: 2207003,
    message: 'Timeout',
    transient: true,
    title: { en: 'Media download has timed out', es: 'Se ha agotado el tiempo de descarga del contenido multimedia' },
    text: { en: 'It takes too long to download the media.', es: 'La descarga del contenido multimedia tarda demasiado.' },
  },
  server_error: {
    code: -1,
    subcode: 2207001,
    message: 'An unknown error has occurred.',
    transient: true,
    title: { en: 'Instagram server error', es: 'Error del servidor de Instagram' },
    text: { en: 'Instagram server error. Try again.', es: 'Error del servidor de Instagram. Vuelve a intentarlo.' },
  },
  thumb_offset: {
    code: 1,
    subcode: 2207057,
    message: 'Invalid parameter',
    title: { en: 'Invalid thumbnail offset', es: 'Desfase de miniatura no válido' },
    text: {
      en: 'Thumbnail offset must be greater than or equal to 0 and less than video duration.',
      es: 'El desfase de la miniatura debe ser menor que la duración del video.',
    },
  },
  spam: {
    code: 4,
    subcode: 2207051,
    status: 403,
    message: 'Application request limit reached',
    title: { en: 'Action is blocked', es: 'La acción está bloqueada' },
    text: {
      en: 'We restrict certain activity to protect our community. Tell us if you think we made a mistake.',
      es: 'Restringimos cierta actividad para proteger a nuestra comunidad.',
    },
  },
  publish_quota: {
    code: 9,
    subcode: 2207042,
    status: 403,
    message: 'Application request limit reached',
    title: { en: 'Max posts reached', es: 'Máximo de publicaciones alcanzado' },
    text: {
      en: 'You reached maximum number of posts that is allowed to be published by Content Publishing API.',
      es: 'Has alcanzado el número máximo de publicaciones permitidas por la API de publicación de contenido.',
    },
  },
  container_missing: {
    code: 24,
    subcode: 2207008,
    message: 'The requested resource does not exist',
    title: { en: 'Media not found', es: 'Contenido multimedia no encontrado' },
    text: { en: 'The media builder does not exist or has expired.', es: 'El contenedor multimedia no existe o ha caducado.' },
  },
  media_not_found: {
    code: 24,
    subcode: 2207006,
    message: 'The requested resource does not exist',
    title: { en: 'Media not found', es: 'Contenido multimedia no encontrado' },
    text: { en: 'The media with the given id cannot be found.', es: 'No se encuentra el contenido multimedia.' },
  },
  account_restricted: {
    code: 25,
    subcode: 2207050,
    status: 403,
    message: 'The Instagram account is restricted.',
    title: { en: 'Account restricted', es: 'Cuenta restringida' },
    text: {
      en: 'The Instagram professional account is inactive, checkpointed or restricted.',
      es: 'La cuenta profesional de Instagram está inactiva o restringida.',
    },
  },
  media_type: {
    code: 100,
    subcode: 2207023,
    message: 'Invalid parameter',
    title: { en: 'Unknown media type', es: 'Tipo de contenido desconocido' },
    text: { en: 'The media type is unknown.', es: 'El tipo de contenido multimedia es desconocido.' },
  },
  carousel_count: {
    code: 100,
    subcode: 2207028,
    message: 'Invalid parameter',
    title: { en: 'Carousel validation failed', es: 'La validación de la secuencia ha fallado' },
    text: {
      en: 'Carousels need at least 2 and no more than 10 photos or videos.',
      es: 'Las secuencias necesitan entre 2 y 10 fotos o videos.',
    },
  },
  too_many_tags: {
    code: 100,
    subcode: 2207040,
    message: 'Invalid parameter',
    title: { en: 'Too many tags', es: 'Demasiadas etiquetas' },
    text: {
      en: 'Cannot use more than 20 mentions per media.',
      es: 'No se pueden usar más de 20 menciones por publicación.',
    },
  },
  too_many_hashtags: {
    code: 36004,
    subcode: 2207010,
    message: 'The caption was too long or has too many hashtags.',
    title: { en: 'Too many hashtags', es: 'Demasiados hashtags' },
    text: {
      en: 'Cannot use more than 5 hashtags per media.',
      es: 'No se pueden usar más de 5 hashtags por publicación.',
    },
  },
  video_format: {
    code: 352,
    subcode: 2207026,
    message: 'The video format is not supported.',
    title: { en: 'Unsupported video format', es: 'Formato de video no compatible' },
    text: { en: 'The video format is not supported. Please check spec for supported format.', es: 'El formato de video no es compatible.' },
  },
  media_unreachable: {
    code: 9004,
    subcode: 2207052,
    message: 'Only photo or video can be accepted as media type.',
    title: {
      en: 'Media download has failed. The media URI does not meet our requirements.',
      es: 'Se ha producido un error al descargar el contenido. El URI no cumple nuestros requisitos.',
    },
    text: {
      en: 'The media could not be fetched from this URI: {url}',
      es: 'No se ha podido recuperar el contenido multimedia de este URI: {url}',
    },
  },
  not_ready: {
    code: 9007,
    subcode: 2207027,
    message: 'Media ID is not available',
    title: { en: 'Media is not ready', es: 'El contenido multimedia no está listo' },
    text: {
      en: 'The media is not ready to be published. Please wait a moment.',
      es: 'El contenido multimedia no está listo para publicarse. Espera un momento.',
    },
  },
  image_size: {
    code: 36000,
    subcode: 2207004,
    message: 'The image is too large to download.',
    title: { en: 'Image too large', es: 'Imagen demasiado grande' },
    text: { en: 'The image should be less than 8 MiB.', es: 'La imagen debe pesar menos de 8 MiB.' },
  },
  image_format: {
    code: 36001,
    subcode: 2207005,
    message: 'The image format is not supported.',
    title: { en: 'Unsupported image format', es: 'Formato de imagen no compatible' },
    text: {
      en: 'The image format is not supported. Supported formats are: JPEG.',
      es: 'El formato de la imagen no es compatible. Formatos compatibles: JPEG.',
    },
  },
  aspect_ratio: {
    code: 36003,
    subcode: 2207009,
    message: "The submitted image with aspect ratio ('{ratio}',) cannot be published.",
    title: { en: 'The aspect ratio is not supported', es: 'La relación de aspecto no es compatible' },
    text: {
      en: 'The submitted image aspect ratio must be within the 4:5 to 1.91:1 range.',
      es: 'La relación de aspecto debe estar entre 4:5 y 1.91:1.',
    },
  },
  caption_length: {
    code: 36004,
    subcode: 2207010,
    message: 'The caption is too long',
    title: { en: 'Caption too long', es: 'Texto demasiado largo' },
    text: { en: 'The caption was too long. Up to 2,200 characters.', es: 'El texto es demasiado largo. Hasta 2.200 caracteres.' },
  },
  location: { code: 100, message: 'INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID' },
  missing_object: {
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message:
      "Unsupported request. Object with ID '{id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
  },
  bad_param: { code: 100, message: '(#100) {what}' },
  bad_proof: { code: 100, type: 'GraphMethodException', message: 'Invalid appsecret_proof provided in the API argument' },
  unknown_path: { code: 2500, message: 'Unknown path components: {path}' },
  not_professional: {
    code: 110,
    subcode: 2207013,
    message: 'Invalid user id',
    title: { en: 'Cannot find User', es: 'No se encuentra el usuario' },
    text: { en: 'The user with username {name} cannot be found.', es: 'No se encuentra el usuario {name}.' },
  },
  no_permission: { code: 10, status: 403, message: '(#10) Application does not have permission for this action' },
  no_token: { code: 2500, status: 400, message: 'An active access token must be used to query information about the current user.' },
  bad_token: { code: 190, status: 401, message: 'Invalid OAuth access token - Cannot parse access token' },
  expired_token: {
    code: 190,
    subcode: 463,
    status: 401,
    message: 'Error validating access token: Session has expired on {then}. The current time is {now}.',
  },
  young_token: { code: 190, status: 400, message: 'The access token is less than 24 hours old and cannot be refreshed yet.' },
  usage_limit: { code: 80002, message: '(#80002) There have been too many calls to this Instagram account. Wait a bit and try again.' },
  oembed_missing: { code: 24, subcode: 2207046, status: 404, message: 'No Media Match' },
} as const satisfies Record<string, GraphErrorRow>;

export type GraphErrorName = keyof typeof GRAPH_ERRORS;

export type Language = 'en' | 'es';

/** An error response to throw; `details` replaces `{name}` in the texts. */
export function graphError(name: GraphErrorName, details: Record<string, string> = {}, language: Language = 'en'): ResponseError {
  const row: GraphErrorRow = GRAPH_ERRORS[name];
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, key: string) => details[key] ?? whole);
  const message = fill(row.message);
  const error = {
    message,
    type: row.type ?? 'OAuthException',
    code: row.code,
    ...(row.subcode === undefined ? {} : { error_subcode: row.subcode, is_transient: row.transient ?? false }),
    ...(row.title ? { error_user_title: row.title[language] } : {}),
    ...(row.text ? { error_user_msg: fill(row.text[language]) } : {}),
    fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
  };
  const headers: Record<string, string> =
    row.code === 190 ? { 'www-authenticate': `OAuth "Facebook Platform" "invalid_token" "${message}"` } : {};
  return new ResponseError(json(row.status ?? 400, { error }, headers));
}
