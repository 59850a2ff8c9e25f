import { StallDetector } from './kafka-consumer';

describe('StallDetector', () => {
  let onStalled: jest.Mock;
  let detector: StallDetector;

  beforeEach(() => {
    jest.useFakeTimers();
    onStalled = jest.fn();
    detector = new StallDetector(60_000, onStalled);
  });
  afterEach(() => {
    detector.stop();
    jest.useRealTimers();
  });

  it('calls once per stall period', () => {
    detector.setConnected(true);
    jest.advanceTimersByTime(59_000);
    expect(onStalled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(16_000);
    expect(onStalled).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(60_000);
    expect(onStalled).toHaveBeenCalledTimes(2);
  });

  it('ignores a consumer with occasional activity', () => {
    detector.setConnected(true);
    for (let i = 0; i < 10; i++) {
      jest.advanceTimersByTime(50_000);
      detector.recordActivity();
    }
    expect(onStalled).not.toHaveBeenCalled();
  });

  it('ignores a disconnected consumer and starts over when it reconnects', () => {
    detector.setConnected(true);
    detector.setConnected(false);
    jest.advanceTimersByTime(600_000);
    detector.setConnected(true);
    jest.advanceTimersByTime(45_000);
    expect(onStalled).not.toHaveBeenCalled();
  });

  it('ignores a pause of the whole process', () => {
    detector.setConnected(true);
    jest.advanceTimersByTime(15_000);
    jest.setSystemTime(Date.now() + 3_600_000);
    jest.advanceTimersByTime(15_000);
    expect(onStalled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    expect(onStalled).toHaveBeenCalledTimes(1);
  });

  it('does not call after stop', () => {
    detector.setConnected(true);
    detector.stop();
    jest.advanceTimersByTime(600_000);
    expect(onStalled).not.toHaveBeenCalled();
  });
});
