export type { RenewedToken } from './access-token';
export { explainContainerError } from './graph-error';
export { GRAPH_ORIGIN } from './graph-origin';
export { InstagramPostSource, type PostRefusal } from './instagram-post-source';
export {
  isSealedWithCurrent,
  openToken,
  sealToken,
  takeUpToken,
  type SealingKeys,
  type StoredToken,
  type TokenTakeUp,
} from './stored-token';
export { flavourOf, InstagramPublisher, type InstagramPublisherOptions, type LoginFlavour } from './instagram-publisher';
