export type { RenewedToken } from './access-token';
export { explainContainerError } from './graph-error';
export { GRAPH_ORIGIN } from './graph-origin';
export { GRAPH_ERRORS, type GraphErrorRow } from './graph-error-table';
export { InstagramPostSource, type PostRefusal } from './instagram-post-source';
export { flavourOf, InstagramPublisher, type InstagramPublisherOptions, type LoginFlavour } from './instagram-publisher';
