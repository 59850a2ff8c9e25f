import { StallDetector } from './deaf-watch';

describe('StallDetector', () => {
  let onStalled: jest.Mock;
  let watch: StallDetector;

  beforeEach(() => {
    jest.useFakeTimers();
    onStalled = jest.fn();
    watch = new StallDetector(60_000, onStalled);
  });
  afterEach(() => {
    watch.stop();
    jest.useRealTimers();
  });

  it('calls once the time is over, and again for each further such time', () => {
    watch.isConnected(true);
    jest.advanceTimersByTime(59_000);
    expect(onStalled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(16_000);
    expect(onStalled).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(60_000);
    expect(onStalled).toHaveBeenCalledTimes(2);
  });

  it('is content with a consumer that hears something now and then', () => {
    watch.isConnected(true);
    for (let i = 0; i < 10; i++) {
      jest.advanceTimersByTime(50_000);
      watch.heard();
    }
    expect(onStalled).not.toHaveBeenCalled();
  });

  it('does not take a consumer that is away for a deaf one, and counts anew when it is back', () => {
    watch.isConnected(true);
    watch.isConnected(false);
    jest.advanceTimersByTime(600_000);
    watch.isConnected(true);
    jest.advanceTimersByTime(45_000);
    expect(onStalled).not.toHaveBeenCalled();
  });

  it('does not take a process that stood still for a deaf consumer', () => {
    watch.isConnected(true);
    jest.advanceTimersByTime(15_000);
    jest.setSystemTime(Date.now() + 3_600_000);
    jest.advanceTimersByTime(15_000);
    expect(onStalled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    expect(onStalled).toHaveBeenCalledTimes(1);
  });

  it('says nothing after it was stopped', () => {
    watch.isConnected(true);
    watch.stop();
    jest.advanceTimersByTime(600_000);
    expect(onStalled).not.toHaveBeenCalled();
  });
});
