import { errorResponseSchema } from '@autoposter/contracts';
import { ItemRefusal } from '@autoposter/workflow';
import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnauthorizedException,
  UnprocessableEntityException,
  UnsupportedMediaTypeException,
  type ArgumentsHost,
} from '@nestjs/common';
import { PipelineError } from '@autoposter/domain';
import { ErrorFilter } from './error.filter';

const database = { isOutage: (error: unknown) => (error as Error).message.startsWith('timeout') };

function answerTo(thrown: unknown, route: object | null = { path: '/api/x' }) {
  const headers: Record<string, string> = {};
  const sent = { status: 0, body: {} as object };
  const response = {
    headersSent: false,
    hasHeader: (name: string) => name in headers,
    setHeader: (name: string, value: string) => void (headers[name] = value),
    status: (status: number) => ({ json: (body: object) => void Object.assign(sent, { status, body }) }),
  };
  const http = { getRequest: () => ({ path: '/api/x', ...(route && { route }) }), getResponse: () => response };
  const errors: string[] = [];
  const logger = { error: (_facts: object, text: string) => void errors.push(text) };
  new ErrorFilter(logger as never, database as never).catch(thrown, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return { ...sent, headers, errors };
}

describe('ErrorFilter', () => {
  it('answers 503 and Retry-After while the database is unavailable', () => {
    expect(answerTo(new Error('timeout exceeded when trying to connect'))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '5' },
      body: { success: false, error: 'The database is unavailable right now.' },
      errors: ['request failed'],
    });
  });

  it('answers an unexpected error without its text', () => {
    const { status, body } = answerTo(new Error('password is hunter2'));
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('hunter2')]);
  });

  it('answers a refusal with its own sentence and logs no error', () => {
    expect(answerTo(new ConflictException('It is posted already.'))).toMatchObject({
      status: 409,
      body: { success: false, error: 'It is posted already.', message: 'It is posted already.' },
      errors: [],
    });
    expect(answerTo(PipelineError.of('reddit_post_missing'))).toMatchObject({
      body: { error: 'Reddit has no such post.', nextAction: 'Use another post.' },
    });
  });

  it.each([
    [new BadRequestException('Bad.'), 'malformed_request'],
    [new UnauthorizedException(), 'not_signed_in'],
    [new ForbiddenException(), 'not_allowed'],
    [new NotFoundException(), 'not_found'],
    [new ConflictException('It is posted already.'), 'conflict'],
    [new ConflictException({ message: 'This run has already finished.', code: 'run_finished' }), 'run_finished'],
    [new ConflictException({ message: 'It is odd.', code: 'no_such_code' }), 'conflict'],
    [new PayloadTooLargeException(), 'too_large'],
    [new UnsupportedMediaTypeException(), 'unsupported_media'],
    [new UnprocessableEntityException('No.'), 'invalid_input'],
    [new HttpException('ThrottlerException: Too Many Requests', 429), 'too_many_requests'],
    [new HttpException('A teapot.', 418), 'malformed_request'],
    [new ServiceUnavailableException('Not now.'), 'unavailable'],
    [new ItemRefusal('unknown_item', 'There is no such post.'), 'not_found'],
    [new ItemRefusal('conflict', 'It was changed.'), 'conflict'],
    [Object.assign(new Error('entity.too.large'), { status: 413, expose: true }), 'too_large'],
    [new Error('a bug'), 'internal'],
    [new Error('timeout exceeded when trying to connect'), 'transient'],
    [PipelineError.of('reddit_post_missing'), 'not_found'],
  ])('answers %p with the code %s', (thrown, code) => {
    expect(errorResponseSchema.parse(answerTo(thrown).body).code).toBe(code);
  });

  it('replaces the text of the framework where no route was found', () => {
    const without = (thrown: unknown) => {
      const { status, body } = answerTo(thrown, null);
      return [status, (body as { error: string }).error];
    };
    expect(without(new NotFoundException('no handler of GET /api/nowhere'))).toEqual([404, 'Not found.']);
    expect(without(new BadRequestException('URI malformed'))).toEqual([400, 'The URL contains a malformed % sequence.']);
  });

  it('gives an exception without a message a sentence, and keeps a message of a single word', () => {
    expect(answerTo(new UnauthorizedException()).body).toMatchObject({ error: 'Please sign in.' });
    expect(answerTo(new NotFoundException()).body).toMatchObject({ error: 'Not found.' });
    expect(answerTo(new ConflictException('Posted.')).body).toMatchObject({ error: 'Posted.' });
  });

  it('removes line breaks and direction marks, which a request may contain, from an answer', () => {
    const issues = [{ field: 'a\u202eb', rule: 'must be text', value: 'c\u2066\nd' }];
    expect(answerTo(new BadRequestException({ message: 'Unknown field a\u202eb,\nnot "c\u2066".', issues }))).toMatchObject({
      body: {
        error: 'Unknown field ab, not "c".',
        message: 'Unknown field ab, not "c".',
        issues: [{ field: 'ab', rule: 'must be text', value: 'c d' }],
      },
    });
  });
});
