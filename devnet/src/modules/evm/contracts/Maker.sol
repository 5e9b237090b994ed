// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

contract Item {
    uint256 public immutable value;

    constructor(uint256 value_) payable {
        require(value_ != 0, "Item: ZERO");
        value = value_;
    }
}

/// Creates contracts, by CREATE and by CREATE2.
contract Maker {
    event Made(address indexed item, uint256 value);

    function make(uint256 value) external payable returns (address item) {
        item = address(new Item{value: msg.value}(value));
        emit Made(item, value);
    }

    function makeAt(bytes32 salt, uint256 value) external payable returns (address item) {
        item = address(new Item{value: msg.value, salt: salt}(value));
        emit Made(item, value);
    }
}
