// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Fails in every way in which a contract can.
contract Reverter {
    event Noted(uint256 indexed value);

    error Refused(uint256 value, address account);

    uint256 public notes;

    /// The one that works.
    function note(uint256 value) external payable {
        notes += 1;
        emit Noted(value);
    }

    function withReason(string calldata reason) external pure {
        revert(reason);
    }

    function withCustomError(uint256 value) external view {
        revert Refused(value, msg.sender);
    }

    /// Panic(0x01).
    function withPanic(uint256 value) external pure {
        assert(value == type(uint256).max);
    }

    /// Panic(0x12).
    function withDivision(uint256 value) external pure returns (uint256) {
        return value / (value - value);
    }

    function withNothing() external pure {
        revert();
    }

    function withInvalid() external pure {
        assembly {
            invalid()
        }
    }

    function withoutGas() external {
        while (true) notes += 1;
    }

    /// Its log and its write are undone.
    function afterNote(uint256 value) external {
        notes += 1;
        emit Noted(value);
        revert("Reverter: AFTER_NOTE");
    }

    /// Calls `afterNote` and goes on: the tx succeeds with one log.
    function caught(uint256 value) external returns (bool failed) {
        try this.afterNote(value) {} catch {
            failed = true;
        }
        notes += 1;
        emit Noted(value + 1);
    }
}
